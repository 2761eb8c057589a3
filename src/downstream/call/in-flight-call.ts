/** A call that a server works on, and the questions that the server asks its client meanwhile. */

import { anyCancelled, type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import type { Call } from '../../base/call/call.ts';
import type { Answer, Question } from '../../base/call/question.ts';
import { askClient } from './ask-client.ts';
import type { TimeLimit } from './time-limit.ts';

export class InFlightCall {
  readonly call: Call;
  /** How long the server may be silent about it. */
  readonly limit: TimeLimit;
  /** Made for the first question: few calls ask any. */
  #over: CancelToken | undefined;
  #ended = false;

  constructor(call: Call, limit: TimeLimit) {
    this.call = call;
    this.limit = limit;
  }

  /** Always resolves: at the latest when the call has ended, or when `signal` takes the question back. */
  async ask(question: Question, withdrawn: CancelSignal): Promise<Answer> {
    const signal = anyCancelled(this.#untilOver(), withdrawn);
    // People are slow, and the server can do nothing about it.
    const goOn = this.limit.pause();
    try {
      return await askClient(this.call, question, signal);
    } finally {
      goOn();
    }
  }

  /** The call is over, and with it every question that is still open. */
  end(): void {
    this.#ended = true;
    this.limit.stop();
    this.#over?.abort();
  }

  #untilOver(): CancelSignal {
    this.#over ??= new CancelToken();
    if (this.#ended) this.#over.abort();
    return this.#over;
  }
}
