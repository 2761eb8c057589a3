/**
 * A call of a stateless client that a server may ask something about. The client's request ends with the questions; the call goes
 * on, and the request that brings the answers takes the place of the first. What is said in between waits for it.
 */

import { type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';
import { type Call, type CallOutcome, isLogLevel, type LogLevel, reaches } from '../../base/call/call.ts';
import { findMissing, notDeclared, type Question } from '../../base/call/question.ts';
import { findMember, findObject, type JsonObject } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { toInputRequests } from '../edge/input-requests.ts';
import { QuestionTable, toFailure } from '../edge/question-table.ts';
import type { ClientTask } from '../tasks/client-task.ts';

/** One request of the client in the life of the call: how it is cancelled and where its messages go. */
export interface CallAttempt {
  readonly capabilities: JsonObject;
  readonly logLevel: LogLevel | undefined;
  readonly signal: CancelSignal;
  readonly notify: Call['notify'];
}

/** How a visit ends: with that of the call, with questions (`inputRequests`, `requestState`), or as the call has become a task. */
export type AttemptResult = CallOutcome | { readonly asked: JsonObject } | { readonly task: ClientTask };

export interface ResumableCallOptions {
  readonly clock: Clock;
  /** Keeps the call until the client comes again: the state to come with, or undefined when there are too many. */
  park(): string | undefined;
  /** The client cannot come again. */
  forget(): void;
}

/** Servers often ask several things at once: how long the first waits for the others. */
export const gatherMs = 25;
const maxKeptLogs = 100;

export class ResumableCall {
  readonly #options: ResumableCallOptions;
  readonly #control = new CancelToken();
  /** `put`: the client has been asked it, so it can answer. */
  readonly #questions = new QuestionTable<{ put: boolean }>({
    prefix: 'q',
    owner: 'of this call',
    refuse: (question) => (this.#refuse(question) ? { error: notDeclared(question) } : undefined),
    onAsked: () => {
      if (this.#visit !== undefined) this.#gather();
    },
    onEnded: () => this.#tryLeave(),
  });
  #cancelGather: (() => void) | undefined;
  #visit: (CallAttempt & { end(turn: AttemptResult | Promise<CallOutcome>): void }) | undefined;
  #ended: Promise<CallOutcome> | undefined;
  #leaving: AttemptResult | undefined;
  #keptLogs: JsonObject[] = [];
  #keptProgress: JsonObject | undefined;

  constructor(options: ResumableCallOptions) {
    this.#options = options;
  }

  get signal(): CancelSignal {
    return this.#control;
  }

  /** Makes the call; its client waits from the beginning. */
  begin(visit: CallAttempt, run: () => Promise<CallOutcome>): Promise<AttemptResult> {
    const turn = this.#enter(visit);
    const running = (async () => run())();
    const end = () => this.#finish(running);
    running.then(end, end);
    return turn;
  }

  /** The client is there again, with answers by the keys of their questions. What it leaves out is asked again. */
  resume(visit: CallAttempt, answers: JsonObject): Promise<AttemptResult> {
    const turn = this.#enter(visit);
    this.#tellKept();
    if (this.#ended !== undefined) {
      this.#finish(this.#ended);
      return turn;
    }
    for (const { key, state, settle } of this.#questions.all()) {
      const result = findObject(answers, key);
      if (state.put && result !== undefined) settle({ result });
    }
    for (const { question, settle } of this.#questions.all())
      if (this.#refuse(question)) settle({ error: notDeclared(question) });
    if (this.#questions.size > 0) this.#gather();
    this.#tryLeave();
    return turn;
  }

  readonly notify: Call['notify'] = (method, params) => {
    if (this.#visit !== undefined) tell(this.#visit, method, params);
    else if (method === 'notifications/progress') this.#keptProgress = params;
    else this.#keptLogs = [...this.#keptLogs, params].slice(-maxKeptLogs);
  };

  readonly ask: Call['ask'] = (question, signal) => this.#questions.ask(question, { put: false }, signal);

  /** The client may leave with this, because the call goes on elsewhere. It first answers the questions that it was asked before. */
  leave(turn: AttemptResult): void {
    this.#leaving = turn;
    this.#tryLeave();
  }

  /** The client has not come with answers in time. */
  expire(): void {
    this.#options.forget();
    for (const { question, settle } of this.#questions.all())
      settle(question.method === 'elicitation/create' ? { result: { action: 'cancel' } } : toFailure(noAnswer));
    // The server hears what became of its questions before it hears that the call is given up.
    setImmediate(() => this.cancel());
  }

  /** Gives the call up. */
  cancel(): void {
    this.#options.forget();
    this.#settleAll();
    this.#control.abort();
  }

  #enter(visit: CallAttempt): Promise<AttemptResult> {
    const leave = () => this.cancel();
    return new Promise((resolve) => {
      this.#visit = {
        ...visit,
        end: (turn) => {
          visit.signal.removeEventListener('abort', leave);
          this.#visit = undefined;
          resolve(turn);
        },
      };
      visit.signal.addEventListener('abort', leave);
      if (visit.signal.aborted) leave();
    });
  }

  #tryLeave(): void {
    if (this.#leaving === undefined || this.#visit === undefined || this.#questions.size > 0) return;
    this.#options.forget();
    this.#visit.end(this.#leaving);
    this.#leaving = undefined;
  }

  #tellKept(): void {
    const [logs, progress] = [this.#keptLogs, this.#keptProgress];
    this.#keptLogs = [];
    this.#keptProgress = undefined;
    for (const params of logs) this.notify('notifications/message', params);
    if (progress !== undefined) this.notify('notifications/progress', progress);
  }

  #finish(running: Promise<CallOutcome>): void {
    this.#ended = running;
    this.#settleAll();
    // While the call is parked, its outcome waits for the client.
    if (this.#visit === undefined) return;
    this.#options.forget();
    this.#visit.end(running);
  }

  #gather(): void {
    this.#cancelGather ??= this.#options.clock.after(gatherMs, () => {
      this.#cancelGather = undefined;
      if (this.#visit !== undefined && this.#questions.size > 0) this.#put(this.#visit);
    });
  }

  #put(visit: { end(turn: AttemptResult): void }): void {
    const requestState = this.#options.park();
    if (requestState === undefined) {
      this.#fail(rpcError(rpcCode.internal, busy, { code: 'WB1807' }));
      return;
    }
    const asked = this.#questions.all();
    for (const { state } of asked) state.put = true;
    visit.end({ asked: { inputRequests: toInputRequests(asked), requestState } });
  }

  /** Whether the client that waits cannot be asked this; a call that needs it cannot be made for it. */
  #refuse(question: Question): boolean {
    const requiredCapabilities = this.#visit && findMissing(this.#visit.capabilities, question);
    if (requiredCapabilities === undefined) return false;
    // Many servers ask for roots on their own account, at any time, and can do without.
    if (question.method === 'roots/list') return true;
    const message = `The server asks '${question.method}', and this request does not declare that its client takes it.`;
    this.#fail(rpcError(rpcCode.missingCapability, message, { requiredCapabilities }));
    return true;
  }

  #fail(error: RpcError): void {
    this.#visit?.end({ error });
    this.cancel();
  }

  #settleAll(): void {
    this.#cancelGather?.();
    this.#cancelGather = undefined;
    this.#questions.close('The call is over.');
  }
}

const noAnswer = 'The client did not answer in time.';
const busy = 'Busy: too many questions are open. Answer some of them, or call the tool again later.';

/** Each request says for itself which log messages it wants. */
function tell(visit: CallAttempt, method: Parameters<Call['notify']>[0], params: JsonObject): void {
  const level = findMember(params, 'level');
  const wanted =
    method === 'notifications/progress' ||
    (visit.logLevel !== undefined && (!isLogLevel(level) || reaches(level, visit.logLevel)));
  if (wanted) visit.notify(method, params);
}
