/**
 * The questions to one handshake-era client: each is a request of ours on its wire, and is answered by the client, by its
 * withdrawal, by the clock, or when the client leaves.
 */
import { randomBytes } from 'node:crypto';
import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';
import type { Answer, Question } from '../../base/call/question.ts';
import { notificationText, type RpcId, requestText } from '../../base/rpc/rpc.ts';
import { QuestionTable, takenBack, toFailure } from '../edge/question-table.ts';

export interface Questions {
  /** For questions that belong together, on the stream that they belong to. */
  open(send: (line: string) => void): QuestionScope;
  /** What the client says. An answer to a question that is not open is ignored. */
  answer(id: RpcId | null, answer: Answer): void;
  /** The client can no longer be asked: open and later questions get an error. */
  close(): void;
}

export interface QuestionScope {
  /** Never rejects. The signal takes the question back. */
  ask(question: Question, signal?: CancelSignal): Promise<Answer>;
  /** Takes back what is open; nothing more is asked. */
  end(): void;
}

interface Sent {
  readonly inquiry: QuestionScope;
  send(line: string): void;
  cancelLimit?: () => void;
}

/** A person may have to think, or to be fetched. */
export const answerMs = 10 * 60_000;

export function createQuestions(clock: Clock): Questions {
  let prefix: string | undefined;
  const table = new QuestionTable<Sent>({
    // A client that shakes hands again may still answer older questions: no id is used twice.
    get prefix() {
      prefix ??= `q${randomBytes(6).toString('hex')}-`;
      return prefix;
    },
    owner: 'to this client',
    onAsked({ key, question, state, withdraw }) {
      state.cancelLimit = clock.after(answerMs, () => withdraw('The client did not answer in time.'));
      state.send(requestText(key, question.method, question.params));
    },
    onEnded({ key, state }, withdrawn) {
      state.cancelLimit?.();
      if (withdrawn !== undefined)
        state.send(notificationText('notifications/cancelled', { requestId: key, reason: withdrawn }));
    },
  });

  return {
    open(send) {
      let ended = false;
      const inquiry: QuestionScope = {
        async ask(question, signal) {
          if (ended && !table.isClosed) return toFailure(takenBack);
          return table.ask(question, { inquiry, send }, signal);
        },
        end() {
          ended = true;
          for (const { state, withdraw } of table.all()) if (state.inquiry === inquiry) withdraw(takenBack);
        },
      };
      return inquiry;
    },
    answer(id, answer) {
      if (typeof id === 'string') table.find(id)?.settle(answer);
    },
    close: () => table.close('The client has gone.'),
  };
}
