/** The handshake era (2024-11-05 … 2025-11-25) towards a client. */

import { randomUUID } from 'node:crypto';
import { quote } from '../base/brief.ts';
import {
  type Call,
  type CallOutcome,
  type ClientFeatures,
  isLogLevel,
  type LogLevel,
  type Outcome,
  reaches,
} from '../base/call.ts';
import { relayable } from '../base/capabilities.ts';
import type { Clock } from '../base/clock.ts';
import { Eventual, type Later } from '../base/eventual.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../base/json.ts';
import { Payload } from '../base/payload.ts';
import type { Answer, Question } from '../base/question.ts';
import { notificationText, type RpcError, type RpcId, rpcCode, rpcError } from '../base/rpc.ts';
import { TaskRefused } from '../base/task.ts';
import { UrlNeeded } from '../base/url-needed.ts';
import {
  type Capability,
  changeMethod,
  type FrontSession,
  findListedKind,
  type Kind,
  kindRules,
} from '../front/front.ts';
import type { ClientEdge, EdgeOptions, Exchange } from './edge.ts';
import { toReaches } from './find-return.ts';
import { createLegacyClient } from './legacy-client.ts';
import { readListPage } from './list-page.ts';
import { lowerList, lowerResult, withoutExecution } from './lower.ts';
import { findCallFault, type Request } from './message.ts';
import { createLegacyTasks, taskMethods, wantsTask, withoutTask } from './tasks/legacy-tasks.ts';
import type { TaskStore } from './tasks/task-store.ts';
import { toCall, toNotify } from './to-call.ts';
import { opensUrls, toUrlText, withOpenable } from './url-required.ts';
import { createWatchedResources } from './watched-resources.ts';

export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const newestVersion = '2025-11-25';
const batchVersion = '2025-03-26';
/** The first that knows questions to a person, in forms. */
const formVersion = '2025-06-18';

export interface LegacyEdgeOptions extends EdgeOptions {
  readonly clock: Clock;
  /** Who stands behind the client. */
  readonly principal: string;
  readonly tasks: TaskStore;
  /** Puts a message that belongs to no request on the client's wire. */
  send(line: string): void;
}

export interface LegacyEdge extends ClientEdge {
  /** The revision agreed on allows several messages in one array. */
  readonly takesBatches: boolean;
  /** The revision agreed on wants a stream to begin with an event that has an id and no data. */
  readonly primesStreams: boolean;
  /** Something of the client goes on although it waits for no answer. */
  readonly busy: boolean;
  /** What the client says to a question of ours. */
  answered(id: RpcId | null, answer: Answer): void;
  /** What the client tells without being asked; a cancelled request is not its concern. */
  notified(method: string): void;
  /** Nothing more comes from the client: nobody waits for its answers. */
  silence(): void;
}

/** Made by the client's `initialize`; `answer` is what to reply to it. */
export function createLegacyEdge(
  { front, identity, send, localUser, clock, principal, tasks: store }: LegacyEdgeOptions,
  initialize: Request,
): { edge: LegacyEdge; answer: Outcome } {
  const wanted = findString(initialize.params, 'protocolVersion') ?? '';
  const version = legacyVersions.includes(wanted) ? wanted : newestVersion;
  const clientInfo = findObject(initialize.params, 'clientInfo') ?? {};
  const capabilities = toCapabilities(initialize.params, version);
  const showsUrls = opensUrls(capabilities);
  const toFeatures = (logLevel: LogLevel | undefined): ClientFeatures => ({
    capabilities,
    takesQuestions: false,
    opensUrls: localUser === true && showsUrls,
    logLevel,
  });
  let features = toFeatures(undefined);
  const connected = createLegacyClient({
    name: findString(clientInfo, 'name') ?? 'unknown',
    version: findString(clientInfo, 'version'),
    principal,
    capabilities,
    clock,
    send,
    logLevel: () => features.logLevel,
    toQuestion: (question) => toQuestion(question, version),
  });
  const { client } = connected;
  const session = front.connect(client, { constantLists: false });
  const resources = createWatchedResources(session, { client, send });

  // A client that has not asked for anything yet cannot miss a change: while servers start, it hears nothing.
  const watched = new Map<Capability, () => void>();
  const watch = (capability: Capability) => {
    if (watched.has(capability)) return;
    const tell = () => send(notificationText(changeMethod(capability), {}));
    watched.set(capability, session.onListChanged(capability, tell));
  };
  // Until a client says how much it wants to hear, that is for us to decide: it hears what somebody has to do something about.
  const stopWarnings = front.onWarning((data) => {
    const warning = { level: 'warning', logger: identity.name, data } as const;
    const { logLevel } = features;
    if (logLevel === undefined || reaches(warning.level, logLevel))
      send(notificationText('notifications/message', warning));
  });

  const explain = (error: unknown): Outcome => {
    if (error instanceof TaskRefused) return { error: rpcError(rpcCode.methodNotFound, error.message) };
    if (!(error instanceof UrlNeeded)) throw error;
    const news = { elicitationId: error.id };
    void error.done.then(() => send(notificationText('notifications/elicitation/complete', news)));
    return { error: urlRequired(error) };
  };
  const hasTasks = version === newestVersion;
  const run = async (call: Call): Promise<Outcome> => {
    try {
      return toOutcome(await session.callTool(call), showsUrls);
    } catch (error) {
      return explain(error);
    }
  };
  const tasks = createLegacyTasks({ tasks: store, connected, capabilities, send, run });
  const pass = (request: Request, exchange: Exchange, make: (call: Call) => Later<CallOutcome>): Eventual<Outcome> => {
    const fault = findCallFault(request);
    if (fault !== undefined) return Eventual.of<Outcome>({ error: fault });
    const inquiry = connected.open(exchange.send, exchange.signal);
    const call = toCall(withoutTask(request), {
      client,
      features,
      signal: exchange.signal,
      notify: toNotify(request, exchange),
      ask: inquiry.ask,
    });
    return Eventual.of(make(call)).map(
      (given) => {
        // What a server still asks when its call is over goes with it.
        inquiry.end();
        const outcome = toOutcome(given, showsUrls);
        return request.method === 'tools/call' ? lowerResult(outcome) : outcome;
      },
      (error) => {
        inquiry.end();
        return explain(error);
      },
    );
  };

  /** What is no call. */
  const answerOther = async (request: Request, exchange: Exchange): Promise<Outcome> => {
    const kind = findListedKind(request.method);
    if (kind !== undefined)
      return list(session, kind, request.params, hasTasks).finally(() => watch(kindRules[kind].capability));
    switch (request.method) {
      case 'ping':
        return { result: Payload.of({}) };
      case 'resources/subscribe':
        return resources.subscribe(request.params);
      case 'resources/unsubscribe':
        return resources.unsubscribe(request.params);
      case 'logging/setLevel': {
        const found = findMember(request.params, 'level');
        if (!isLogLevel(found))
          return { error: rpcError(rpcCode.invalidParams, '"level" must be one of the eight log levels.') };
        features = toFeatures(found);
        front.setLogLevel(found, client);
        return { result: Payload.of({}) };
      }
      default:
        if (hasTasks && taskMethods.has(request.method)) return tasks.request(request, exchange);
        return { error: rpcError(rpcCode.methodNotFound, `Method ${quote(request.method)} is not offered.`) };
    }
  };

  const edge: LegacyEdge = {
    takesBatches: version === batchVersion,
    get busy() {
      return tasks.busy;
    },
    primesStreams: version === newestVersion,
    request(request, exchange) {
      switch (request.method) {
        case 'tools/call':
          watch('tools');
          if (hasTasks && wantsTask(request)) return tasks.call(request, exchange, features);
          return pass(request, exchange, session.callTool);
        case 'prompts/get':
          return pass(request, exchange, session.getPrompt);
        case 'resources/read':
          return pass(request, exchange, session.readResource);
        case 'completion/complete':
          return pass(request, exchange, session.complete);
        default:
          return answerOther(request, exchange);
      }
    },
    answered: connected.answered,
    notified(method) {
      if (method === 'notifications/roots/list_changed') connected.rootsChanged();
    },
    silence: connected.silence,
    close() {
      for (const stop of watched.values()) stop();
      resources.close();
      stopWarnings();
      tasks.close();
      connected.close();
      session.close();
    },
  };
  const answer: JsonObject = {
    protocolVersion: version,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
      ...(hasTasks ? { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } : {}),
    },
    serverInfo: { ...identity },
    instructions: session.instructions,
    ...toReaches(front, clientInfo),
  };
  return { edge, answer: { result: Payload.of(answer) } };
}

async function list(session: FrontSession, kind: Kind, params: JsonObject, hasTasks: boolean): Promise<Outcome> {
  const found = await readListPage(session, kind, params);
  if ('error' in found) return found;
  return { result: lowerList(hasTasks ? found.page : withoutExecution(found.page)) };
}

/** What the client declared, as far as the revision agreed on knows it. */
function toCapabilities(params: JsonObject, version: string): JsonObject {
  const declared = relayable(findObject(params, 'capabilities') ?? {});
  if (version === newestVersion) return declared;
  const hasForms = version >= formVersion && Object.hasOwn(declared, 'elicitation');
  return withMembers(declared, {
    elicitation: hasForms ? { form: {} } : undefined,
    sampling: Object.hasOwn(declared, 'sampling') ? {} : undefined,
  });
}

/** A question as the revision agreed on has it. */
function toQuestion({ method, params }: Question, version: string): Question {
  if (method !== 'elicitation/create') return { method, params };
  if (version !== newestVersion) return { method, params: withMembers(params, { mode: undefined }) };
  if (findMember(params, 'mode') !== 'url' || findString(params, 'elicitationId') !== undefined)
    return { method, params };
  // Servers of the other era give none.
  return { method, params: withMembers(params, { elicitationId: randomUUID() }) };
}

function toOutcome(outcome: CallOutcome, showsUrls: boolean): Outcome {
  if ('inputRequired' in outcome)
    return { error: rpcError(rpcCode.internal, 'The server asked in a way that this client does not take.') };
  if (!('error' in outcome) || outcome.error.code !== rpcCode.urlRequired) return outcome;
  const error = withOpenable(outcome.error);
  return { error: showsUrls || error.code !== rpcCode.urlRequired ? error : toUrlText(error) };
}

/** The client opens the address, hears that it is done, and makes its call again. */
function urlRequired({ id, url, message }: UrlNeeded): RpcError {
  const elicitation = { mode: 'url', elicitationId: id, url, message };
  return rpcError(rpcCode.urlRequired, message, { elicitations: [elicitation] });
}
