/** Puts a question to the client of a call. Always resolves, at the latest when the signal takes the question back. */
import type { Call } from '../base/call.ts';
import type { Answer, Question } from '../base/question.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { StopSignal } from '../base/stop.ts';

export function putQuestion(call: Call, question: Question, signal: StopSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const takeBack = () => resolve(callEnded);
    if (signal.aborted) return takeBack();
    signal.addEventListener('abort', takeBack);
    call
      .ask(question, signal)
      .catch(() => unanswerable)
      .then((answer) => {
        signal.removeEventListener('abort', takeBack);
        resolve(answer);
      });
  });
}

/** The very answer to a question that was taken back. */
export const callEnded: Answer = {
  error: rpcError(rpcCode.internal, 'The call that this question belongs to has ended.'),
};
const unanswerable: Answer = { error: rpcError(rpcCode.internal, 'The question could not be put to the client.') };
