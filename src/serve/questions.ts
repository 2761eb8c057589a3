/**
 * The questions put to one handshake-era client: each is a request of ours on its wire and is answered exactly once, by the
 * client, by whoever takes it back, by the clock, or by the end.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Answer, Question } from '../base/question.ts';
import { notificationText, type RpcId, requestText, rpcCode, rpcError } from '../base/rpc.ts';
import type { StopSignal } from '../base/stop.ts';

export interface Questions {
  /** For questions that belong together, on the stream that they belong to. */
  open(send: (line: string) => void): Inquiry;
  /** What the client says; of what was not asked, or is answered, nothing comes. */
  answer(id: RpcId | null, answer: Answer): void;
  /** The client can be asked no more: what is open, and whatever is asked from here on, gets an error. */
  close(): void;
}

export interface Inquiry {
  /** Never rejects. The signal takes the question back. */
  ask(question: Question, signal?: StopSignal): Promise<Answer>;
  /** Takes back what is open; nothing more is asked. */
  end(): void;
}

export const mostOpenQuestions = 64;
/** A person may have to think, or to be fetched. */
export const answerMs = 10 * 60_000;

export function createQuestions(clock: Clock): Questions {
  // A client that shakes hands again may still answer what it was asked before: such an id is not used twice.
  let prefix: string | undefined;
  const open = new Map<RpcId, (answer: Answer) => void>();
  let asked = 0;
  let closed = false;

  return {
    open(send) {
      const own = new Set<() => void>();
      let ended = false;
      return {
        async ask(question, signal) {
          if (closed) return failed(gone);
          if (ended || signal?.aborted === true) return failed(takenBack);
          if (open.size >= mostOpenQuestions)
            return failed(`Busy: ${mostOpenQuestions} questions to this client are not answered yet.`);
          prefix ??= `q${randomBytes(6).toString('hex')}-`;
          const id = `${prefix}${++asked}`;
          const line = findText(id, question);
          if (line === undefined) return failed('The question is nested too deep.');
          return new Promise((resolve) => {
            const giveUp = (reason: string) => {
              send(notificationText('notifications/cancelled', { requestId: id, reason }));
              settle(failed(reason));
            };
            const takeBack = () => giveUp(takenBack);
            const cancelLimit = clock.after(answerMs, () => giveUp('Nobody answered in time.'));
            const settle = (answer: Answer) => {
              open.delete(id);
              own.delete(takeBack);
              cancelLimit();
              signal?.removeEventListener('abort', takeBack);
              resolve(answer);
            };
            open.set(id, settle);
            own.add(takeBack);
            signal?.addEventListener('abort', takeBack);
            send(line);
          });
        },
        end() {
          ended = true;
          for (const takeBack of [...own]) takeBack();
        },
      };
    },
    answer(id, answer) {
      if (id !== null) open.get(id)?.(answer);
    },
    close() {
      closed = true;
      for (const settle of [...open.values()]) settle(failed(gone));
    },
  };
}

const gone = 'The client has gone.';
const takenBack = 'The question was taken back.';

function failed(message: string): Answer {
  return { error: rpcError(rpcCode.internal, message) };
}

/** What is nested too deep cannot be written. */
function findText(id: RpcId, { method, params }: Question): string | undefined {
  try {
    return requestText(id, method, params);
  } catch {
    return undefined;
  }
}
