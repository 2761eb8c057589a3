/** Puts a question to the client of a call. Always resolves, at the latest when the signal takes the question back. */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { Call } from '../../base/call/call.ts';
import type { Answer, Question } from '../../base/call/question.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';

export function askClient(call: Call, question: Question, signal: CancelSignal): Promise<Answer> {
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
