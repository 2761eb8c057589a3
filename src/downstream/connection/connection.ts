/**
 * One live connection to a server: the conversation with it and the edge of the era it speaks.
 * Begins with a successful handshake and ends once, with a reason; it is never revived.
 */

import { within } from '../../base/async/clock.ts';
import { InFlightMap } from '../../base/async/in-flight-map.ts';
import type { Call, CallOutcome, Outcome, Round } from '../../base/call/call.ts';
import { Busy } from '../../base/errors/busy.ts';
import { findMember, findObject, findString, type JsonObject } from '../../base/json/json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { findChanged, type Kind, kinds, kindsOf } from '../../catalog/kind.ts';
import type { Heard } from '../../catalog/listing.ts';
import { createFloodGate, type FloodGate } from '../call/flood-gate.ts';
import type { InFlightCall } from '../call/in-flight-call.ts';
import { runInputRounds } from '../call/input-rounds.ts';
import { findLogged, tellLog, wantsLog, withServerLogger } from '../call/log-route.ts';
import { createProgress, type Progress } from '../call/progress.ts';
import { type CallContext, cancelled, SentCall } from '../call/send-call.ts';
import { TimeLimits } from '../call/time-limit.ts';
import { completeMethod, noCompletion, orNoCompletion } from '../era/complete.ts';
import type { ServerEdge } from '../era/edge.ts';
import { type ListingTime, readListing } from '../listing/read-listing.ts';
import { type Company, createLingering, type Lingering, type Need } from '../questions/company.ts';
import { createElicitations, type Elicitations, listElicitations } from '../questions/elicitations.ts';
import { createPresence, type Presence } from '../questions/presence.ts';
import { findQuestionOwner, type QuestionOwner } from '../questions/question-owner.ts';
import { createQuestionRouter, refuseToAsk } from '../questions/question-router.ts';
import type { RpcPeer } from '../rpc/rpc-peer.ts';
import type { AnswerRequest } from '../rpc/server-requests.ts';
import { type DriveOptions, driveTask } from '../tasks/drive-task.ts';
import { createLiveTasks } from '../tasks/live-tasks.ts';
import { createGivenStates } from './given-states.ts';
import type { ServerContext } from './server-context.ts';

/** How long a server may take to agree to announce changes. */
const subscribeMs = 10_000;

const patientFactor = 6;

export interface ConnectionEvents {
  /** The server says, or may have said unheard, that lists of these kinds have changed; all kinds unless some are named. */
  onListAnnounced(kinds?: readonly Kind[]): void;
  /** A resource that is watched has changed. */
  onUpdated(uri: string): void;
  /** The server says more than a client can read, and some of it was not passed on. */
  onLeftOut(message: string): void;
}

export type ConnectionContext = Pick<ServerContext, 'definition' | 'clock' | 'limits' | 'log'>;

export interface ConnectionParts {
  readonly edge: ServerEdge;
  readonly peer: RpcPeer;
  readonly events: ConnectionEvents;
  readonly company: Company;
  /** How many bytes the server has not read yet, where that can be told. */
  waiting?(): number;
  /** Gets everything that was read and gives what is to be used of it. */
  reviseListing?(heard: Heard): Heard;
}

export class Connection {
  readonly edge: ServerEdge;
  /** Answers a request of the server. */
  readonly asked: AnswerRequest;
  readonly #context: ConnectionContext;
  readonly #parts: ConnectionParts;
  readonly #wire: CallContext;
  /** By request, in the order in which they were begun. */
  readonly #inFlight = new InFlightMap<number, InFlightCall>();
  /** The clients that have called here and are still connected. */
  readonly presence: Presence;
  readonly #lingering: Lingering;
  readonly #states = createGivenStates();
  readonly #elicitations: Elicitations;
  readonly #tasks = createLiveTasks();
  readonly #gate: FloodGate;

  constructor(context: ConnectionContext, parts: ConnectionParts) {
    const { clock, limits, definition } = context;
    this.edge = parts.edge;
    this.#context = context;
    this.#parts = parts;
    this.#elicitations = createElicitations(clock);
    this.#lingering = createLingering(clock);
    this.presence = createPresence(clock);
    const timeLimits = new TimeLimits(clock, definition.timeoutMs);
    this.#wire = {
      peer: parts.peer,
      definition,
      limits: timeLimits,
      inFlight: this.#inFlight,
      onGivenUp: (call) => this.#lingering.note(call),
      onOver: ({ client }) => this.presence.ended(client),
    };
    this.#gate = createFloodGate({
      clock,
      perSecond: limits.notificationsPerSecond,
      onLeftOut: (message) => parts.events.onLeftOut(message),
    });
    parts.peer.over.addEventListener('abort', () => {
      timeLimits.close();
      this.#gate.close();
      this.presence.close();
    });
    const [inFlight, elicitations, tasks] = [this.#inFlight, this.#elicitations, this.#tasks];
    const whose = (stream: number | undefined) => this.#whose(stream);
    const onNeed = (need: Need) => parts.company.onNeed(need, this.presence);
    const ask = createQuestionRouter({ company: parts.company, inFlight, elicitations, tasks, whose, onNeed });
    this.asked = parts.edge.asksInAnswers ? refuseToAsk : ask;
  }

  async listing(wanted: readonly Kind[] = kinds, { patient = false }: ListingTime = {}): Promise<Heard> {
    const { clock, limits } = this.#context;
    const { edge, peer } = this.#parts;
    const patience = { ...limits, listMs: limits.listMs * patientFactor };
    const heard = await readListing({ edge, peer, clock, limits: patient ? patience : limits }, wanted);
    return this.#parts.reviseListing?.(heard) ?? heard;
  }

  /** Sends a call and waits for its answer. Rejects with a WorkbenchError when there is none to be had, with Busy when it was not sent. */
  call(call: Call, progress = createProgress(call, this.#context.clock)): Promise<CallOutcome> {
    const { definition, limits, clock } = this.#context;
    const { waiting } = this.#parts;
    const { edge } = this;
    const round = call.resume?.round;
    // The state was not given by this server: the call would be made a second time for the question of another.
    if (round?.requestState !== undefined && !edge.asksInAnswers) return Promise.resolve(strayState);
    if (waiting !== undefined && waiting() > limits.pendingBytes)
      return Promise.reject(new Busy(`server '${definition.name}' does not read what it is sent.`));
    const isCompletion = call.method === completeMethod;
    if (isCompletion && !edge.completes) return Promise.resolve(noCompletion());
    progress.through(this.#gate);
    const first = this.#send(call, round, progress);
    if (isCompletion) return orNoCompletion(first);
    if (!edge.asksInAnswers) return first;
    return runInputRounds(call, { clock, first, send: (next) => this.#send(call, next, progress) });
  }

  #send(call: Call, round: Round | undefined, progress: Progress): Promise<CallOutcome> {
    if (call.signal.aborted) return Promise.resolve(cancelled);
    this.presence.began(call.client);
    this.#gate.began();
    const { logLevel } = call.features;
    if (logLevel !== undefined) this.edge.ensureLogLevel(logLevel);
    const id = this.#parts.peer.newId();
    const token = call.wantsProgress ? id : undefined;
    const params = this.edge.toParams(call.params, { call, round, token });
    const sent = new SentCall(call, this.#wire, {
      id,
      params,
      onProgress: progress.tell,
      // At once, not a turn later: what the server says of a task may stand right behind the answer that makes it.
      toOutcome: (outcome) => {
        const task = this.edge.findTask(outcome, call);
        if (task === undefined) return this.#toOutcome(outcome, call);
        return this.#drive(task, { call, progress, token }).then((driven) => this.#toOutcome(driven, call));
      },
    }).send();
    // What is kept of the progress comes before the answer.
    return call.wantsProgress ? sent.finally(progress.flush) : sent;
  }

  #toOutcome(outcome: Outcome, call: Call): CallOutcome {
    if ('error' in outcome)
      for (const id of listElicitations(outcome.error)) this.#elicitations.remember(id, call.client);
    const given = this.edge.toOutcome(outcome, call);
    if ('inputRequired' in given) this.#states.note(given.inputRequired);
    return given;
  }

  /** Whether it was this server that gave the state with which a call goes on: no other copy of it may understand that. */
  gave(state: string): boolean {
    return this.#states.has(state);
  }

  #drive(task: JsonObject, options: Pick<DriveOptions, 'call' | 'progress' | 'token'>): Promise<Outcome> {
    // What belongs to the call itself has been said.
    const call = { ...options.call, task: undefined };
    return driveTask(task, {
      ...this.#wire,
      ...options,
      clock: this.#context.clock,
      live: this.#tasks,
      toParams: (params) => this.edge.toParams(params, { call }),
      follow: this.edge.followTask,
    });
  }

  /** Whether a call is under way. */
  get calling(): boolean {
    return this.#inFlight.size > 0 || this.#tasks.byId.size > 0;
  }

  /** Asks the server to announce changes of a resource; `all` is what is watched from now on. */
  async subscribe(uri: string, all: readonly string[]): Promise<Outcome> {
    const { definition, clock } = this.#context;
    if (findObject(this.edge.capabilities, 'resources')?.subscribe !== true)
      return { error: rpcError(rpcCode.methodNotFound, `Server '${definition.name}' does not announce changes.`) };
    const outcome = await within(clock, subscribeMs, this.edge.subscribe(uri, all));
    return outcome ?? { error: rpcError(rpcCode.serverFailed, `Server '${definition.name}' does not answer.`) };
  }

  unsubscribe(uri: string, all: readonly string[]): void {
    this.edge.unsubscribe(uri, all);
  }

  /** The client's roots have changed. */
  rootsChanged(): void {
    this.edge.rootsChanged();
  }

  /** Whether a notification would be left out, because the server has said too much of the kind. */
  refuses(method: string): boolean {
    return this.#gate.refuses(method);
  }

  /** `stream` is the request on whose own stream it came, where the transport has such streams. */
  notified(method: string, params: JsonObject, stream: number | undefined): void {
    if (!this.#gate.admits(method)) return;
    const { log, definition } = this.#context;
    const { events } = this.#parts;
    const changed = findChanged(method);
    if (changed !== undefined) events.onListAnnounced(kindsOf(changed));
    else if (method === 'notifications/message') this.#logged(withServerLogger(params, definition.name), stream);
    else if (method === 'notifications/elicitation/complete') this.#completed(method, params);
    else if (method === 'notifications/resources/updated') events.onUpdated(findString(params, 'uri') ?? '');
    else if (method === 'notifications/subscriptions/acknowledged') this.edge.acknowledged(params);
    else if (!this.#tasks.notified(method, params))
      log.debug('notification not passed on', { method: toPrintable(method, 100) });
  }

  #whose(stream: number | undefined): QuestionOwner<InFlightCall> {
    const { clients } = this.presence;
    const connected = clients.length > 0 ? clients : this.#parts.company.connected(this.edge);
    return findQuestionOwner({ stream, inFlight: this.#inFlight, lingering: this.#lingering.clients, connected });
  }

  #logged(params: JsonObject, stream: number | undefined): void {
    const { log } = this.#context;
    const { company } = this.#parts;
    const whose = this.#whose(stream);
    const owner =
      whose.to === 'calls'
        ? findLogged(params, whose.calls)
        : stream === undefined
          ? this.#findOnlyLogged(params)
          : undefined;
    if (owner !== undefined) owner.call.notify('notifications/message', params);
    // What comes on the stream of a call that was given up must not reach another client.
    else if (whose.to !== 'nobody' && stream === undefined) tellLog(params, whose.client);
    else log.debug('log message of the server', { message: JSON.stringify(params) });
    if (whose.to === 'nobody' && whose.why === 'several clients' && owner === undefined && this.#isWanted(params))
      company.onNeed('apart', this.presence);
  }

  /** Where a server logs only for calls that want it, a message is for the only one that does, of however many clients. */
  #findOnlyLogged(params: JsonObject): InFlightCall | undefined {
    if (!this.edge.logsForCallsOnly || this.#lingering.clients.length > 0) return undefined;
    const [only, ...others] = [...this.#inFlight.values()].filter(({ call }) => call.features.logLevel !== undefined);
    return only !== undefined && others.length === 0 ? findLogged(params, [only]) : undefined;
  }

  /** Whether any client would have got the message. */
  #isWanted(params: JsonObject): boolean {
    return (
      findLogged(params, this.#inFlight.values()) !== undefined ||
      this.presence.sessions.some(({ session }) => wantsLog(params, session?.logLevel))
    );
  }

  #completed(method: string, params: JsonObject): void {
    const elicitationId = findMember(params, 'elicitationId') ?? '';
    this.#elicitations.take(elicitationId)?.tell(method, { elicitationId });
  }
}

const strayState: CallOutcome = {
  error: rpcError(
    rpcCode.invalidParams,
    'This question is no longer open: its state was changed on the way, or was given by another server. Call the tool again.',
    { code: 'WB1806', reason: 'invalid' },
  ),
};
