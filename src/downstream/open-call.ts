/** A call that a server works on, and what the server asks meanwhile of whoever made it. */
import type { Call } from '../base/call.ts';
import type { Answer, Question } from '../base/question.ts';
import { eitherStop, Stop, type StopSignal } from '../base/stop.ts';
import { putQuestion } from './put-question.ts';
import type { TimeLimit } from './time-limit.ts';

export interface OpenCall {
  readonly call: Call;
  /** Always resolves: at the latest when the call has ended, or when `signal` takes the question back. */
  ask(question: Question, signal: StopSignal): Promise<Answer>;
  /** The call is over, and with it everything that is still asked. */
  end(): void;
}

export function createOpenCall(call: Call, limit: TimeLimit): OpenCall {
  const over = new Stop();
  return {
    call,
    async ask(question, withdrawn) {
      const signal = eitherStop(over, withdrawn);
      // People are slow, and the server can do nothing about it.
      const goOn = limit.pause();
      try {
        return await putQuestion(call, question, signal);
      } finally {
        goOn();
      }
    },
    end() {
      limit.stop();
      over.abort();
    },
  };
}
