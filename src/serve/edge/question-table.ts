/**
 * The open questions to one client, or of one call or task. Each has a key that is never used twice and is answered exactly once: by
 * the client, by its withdrawal, or by the end of the table.
 */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { Answer, Question } from '../../base/call/question.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';

export interface OpenQuestion<State> {
  readonly key: string;
  readonly question: Question;
  readonly state: State;
  /** Only the first answer counts. */
  settle(answer: Answer): void;
  /** Answers it with an error and tells `onEnded` the reason. */
  withdraw(reason: string): void;
}

export interface QuestionTableOptions<State> {
  /** Stands before the number in each key. */
  readonly prefix: string;
  /** Completes "64 questions … are not answered yet". */
  readonly owner: string;
  /** Why a question that could be asked is not; undefined when it may be. */
  refuse?(question: Question): Answer | undefined;
  onAsked(asked: OpenQuestion<State>): void;
  /** `withdrawn` is the reason where the question was withdrawn and not answered. */
  onEnded(ended: OpenQuestion<State>, withdrawn: string | undefined): void;
}

export const maxOpenQuestions = 64;
export const takenBack = 'The question was taken back.';

export class QuestionTable<State> {
  readonly #options: QuestionTableOptions<State>;
  readonly #open = new Map<string, OpenQuestion<State>>();
  #asked = 0;
  #closedBecause: string | undefined;

  constructor(options: QuestionTableOptions<State>) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  get isClosed(): boolean {
    return this.#closedBecause !== undefined;
  }

  /** A copy: answering one may end others. */
  all(): OpenQuestion<State>[] {
    return [...this.#open.values()];
  }

  find(key: string): OpenQuestion<State> | undefined {
    return this.#open.get(key);
  }

  /** Never rejects. The signal withdraws the question. */
  async ask(question: Question, state: State, signal?: CancelSignal): Promise<Answer> {
    const fault = this.#findFault(question, signal);
    if (fault !== undefined) return toFailure(fault);
    const refusal = this.#options.refuse?.(question);
    if (refusal !== undefined) return refusal;
    return new Promise((resolve) => {
      const key = `${this.#options.prefix}${++this.#asked}`;
      const end = (answer: Answer, withdrawn?: string) => {
        if (!this.#open.delete(key)) return;
        signal?.removeEventListener('abort', onAbort);
        resolve(answer);
        this.#options.onEnded(asked, withdrawn);
      };
      const withdraw = (reason: string) => end(toFailure(reason), reason);
      const onAbort = () => withdraw(takenBack);
      const asked: OpenQuestion<State> = { key, question, state, settle: (answer) => end(answer), withdraw };
      signal?.addEventListener('abort', onAbort);
      this.#open.set(key, asked);
      this.#options.onAsked(asked);
    });
  }

  /** Answers all open questions, and those that are asked later, with an error. */
  close(reason: string): void {
    this.#closedBecause ??= reason;
    for (const { settle } of this.all()) settle(toFailure(reason));
  }

  #findFault(question: Question, signal: CancelSignal | undefined): string | undefined {
    if (this.#closedBecause !== undefined) return this.#closedBecause;
    if (signal?.aborted === true) return takenBack;
    if (this.#open.size >= maxOpenQuestions)
      return `Busy: ${maxOpenQuestions} questions ${this.#options.owner} are not answered yet.`;
    return isWritable(question) ? undefined : 'The question is nested too deep.';
  }
}

export function toFailure(message: string): Answer {
  return { error: rpcError(rpcCode.internal, message) };
}

/** JSON.stringify throws for a value that is nested too deep. */
function isWritable({ params }: Question): boolean {
  try {
    return JSON.stringify(params) !== undefined;
  } catch {
    return false;
  }
}
