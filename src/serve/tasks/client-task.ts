/**
 * A call of a client that goes on after its request was answered. It is ours, also when the server makes a task of the call: it waits for
 * input exactly when the client has been asked something, and its end is that of the call.
 */
import { randomBytes } from 'node:crypto';
import { type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';
import { createEmitter } from '../../base/async/emitter.ts';
import type { Call, CallOutcome } from '../../base/call/call.ts';
import type { Answer, Question } from '../../base/call/question.ts';
import { type TaskNews, toPollMs } from '../../base/call/task.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { RpcError } from '../../base/rpc/rpc.ts';
import { type OpenQuestion, QuestionTable } from '../edge/question-table.ts';

/** Puts a question to the client; the signal takes it back. */
export type Attendant = (question: Question, signal: CancelSignal) => Promise<Answer>;

/** How it ended; `cancelled` is final, also when the call still gets an answer. */
export type TaskEnd = CallOutcome | 'cancelled';

export interface ClientTaskOptions {
  readonly principal: string;
  readonly ttlMs: number;
  readonly clock: Clock;
  /** Gives the call up. */
  onCancel(): void;
}

/** `put`: while an attendant has the question. */
type Waiting = OpenQuestion<{ put?: CancelToken }>;

export class ClientTask {
  /** Not to be guessed; it counts only together with its principal. */
  readonly id = randomBytes(16).toString('base64url');
  readonly principal: string;
  readonly ttlMs: number;
  readonly createdAt: number;
  /** Resolves when it has ended. */
  readonly finished: Promise<TaskEnd>;
  readonly #options: ClientTaskOptions;
  readonly #changed = createEmitter<void>();
  readonly #questions = new QuestionTable<Waiting['state']>({
    prefix: 'q',
    owner: 'of this task',
    onAsked: (asked) => {
      this.#put(asked);
      this.#change();
    },
    onEnded: ({ state }) => {
      state.put?.abort();
      if (this.#end === undefined) this.#change();
    },
  });
  #attendant: Attendant | undefined;
  #updatedAt: number;
  #message: string | undefined;
  #pollMs = toPollMs(undefined);
  #end: TaskEnd | undefined;
  #finish: (end: TaskEnd) => void = () => {};
  /** Its result has been given to the client. */
  isFetched = false;

  constructor(options: ClientTaskOptions) {
    this.#options = options;
    this.principal = options.principal;
    this.ttlMs = options.ttlMs;
    this.createdAt = options.clock.now();
    this.#updatedAt = this.createdAt;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get end(): TaskEnd | undefined {
    return this.#end;
  }

  get updatedAt(): number {
    return this.#updatedAt;
  }

  get statusMessage(): string | undefined {
    return this.#message;
  }

  get pollMs(): number {
    return this.#pollMs;
  }

  /** What the client has been asked and has not answered, by key; keys are never used twice. */
  get questions(): readonly { readonly key: string; readonly question: Question }[] {
    return this.#questions.all();
  }

  onChanged(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  /** What the server says of the call. */
  hear({ statusMessage, pollIntervalMs }: TaskNews): void {
    if (this.#end !== undefined) return;
    if (pollIntervalMs !== undefined) this.#pollMs = toPollMs(pollIntervalMs);
    if (statusMessage === undefined || statusMessage === this.#message) return;
    this.#message = statusMessage;
    this.#change();
  }

  /** Ends as the call does. */
  follow(running: Promise<CallOutcome>, toError: (error: unknown) => RpcError): void {
    running.then(
      (outcome) => this.finish(outcome),
      (error: unknown) => this.finish({ error: toError(error) }),
    );
  }

  readonly ask: Call['ask'] = (question, signal) => this.#questions.ask(question, {}, signal);

  /** What the client answers, by key; of what is not asked, or not any more, nothing comes. */
  answer(key: string, result: JsonObject): void {
    this.#questions.find(key)?.settle({ result });
  }

  /** Puts questions to this attendant, the newest one. The function that is returned ends that: open questions wait for the next. */
  attend(attendant: Attendant): () => void {
    this.#attendant = attendant;
    for (const waiting of this.#questions.all()) this.#put(waiting);
    return () => {
      if (this.#attendant !== attendant) return;
      this.#attendant = undefined;
      for (const { state } of this.#questions.all()) state.put?.abort();
    };
  }

  finish(end: TaskEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#questions.close('The call is over.');
    if (typeof end === 'object' && 'error' in end) this.#message = end.error.message;
    if (end === 'cancelled') this.#message = 'The task was cancelled.';
    this.#change();
    this.#finish(end);
  }

  cancel(): void {
    this.finish('cancelled');
    this.#options.onCancel();
  }

  /** Gives the call up and says why. */
  fail(error: RpcError): void {
    this.finish({ error });
    this.#options.onCancel();
  }

  #put({ question, state, settle }: Waiting): void {
    state.put?.abort();
    const attendant = this.#attendant;
    if (attendant === undefined) return;
    const put = new CancelToken();
    state.put = put;
    void attendant(question, put).then((answer) => {
      // Taken back from an attendant who left, it is still open.
      if (!put.aborted) settle(answer);
    });
  }

  #change(): void {
    this.#updatedAt = this.#options.clock.now();
    this.#changed.emit();
  }
}
