/** The handshake era (2024-11-05 … 2025-11-25) towards a client. */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/async/clock.ts';
import type { Call, Outcome } from '../../base/call/call.ts';
import { relayable } from '../../base/call/capabilities.ts';
import type { Question } from '../../base/call/question.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import { findListedKind } from '../../front/front.ts';
import type { Request } from '../conversation/message.ts';
import type { ClientEdge, ClientRequestContext, EdgeOptions, LegacyMessages } from '../edge/edge.ts';
import { toReaches } from '../edge/find-return.ts';
import { opensUrls } from '../edge/url-required.ts';
import { createLegacyTasks, taskMethods, wantsTask } from '../tasks/legacy-tasks.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { passLegacyCall, runLegacyTask } from './legacy-calls.ts';
import { createLegacyClient } from './legacy-client.ts';
import { createLegacyLists } from './legacy-lists.ts';
import { setLegacyLevel, tellWarnings } from './legacy-logging.ts';
import type { LegacyState } from './legacy-state.ts';
import { createWatchedResources } from './watched-resources.ts';

export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const newestVersion = '2025-11-25';
const batchVersion = '2025-03-26';
/** The first revision with questions to a person, in forms, and with links to resources in results. */
const formVersion = '2025-06-18';

export interface LegacyEdgeOptions extends EdgeOptions {
  readonly clock: Clock;
  /** The person or program behind the client. */
  readonly principal: string;
  readonly tasks: TaskStore;
  /** Puts a message that belongs to no request on the client's wire. */
  send(line: string): void;
}

export interface LegacyEdge extends ClientEdge, LegacyMessages {
  /** The revision agreed on allows several messages in one array. */
  readonly takesBatches: boolean;
  /** The revision agreed on wants a stream to begin with an event that has an id and no data. */
  readonly primesStreams: boolean;
  /** A task of the client runs, although the client waits for no answer. */
  readonly busy: boolean;
  /** Nothing more comes from the client: its open questions are answered with an error. */
  silence(): void;
}

/** Made by the client's `initialize`; `answer` is the reply to it. */
export function createLegacyEdge(
  { front, identity, send, localUser, clock, principal, tasks: store }: LegacyEdgeOptions,
  initialize: Request,
): { edge: LegacyEdge; answer: Outcome } {
  const wanted = findString(initialize.params, 'protocolVersion') ?? '';
  const version = legacyVersions.includes(wanted) ? wanted : newestVersion;
  const clientInfo = findObject(initialize.params, 'clientInfo') ?? {};
  const capabilities = toCapabilities(initialize.params, version);
  const connected = createLegacyClient({
    name: findString(clientInfo, 'name') ?? 'unknown',
    version: findString(clientInfo, 'version'),
    principal,
    capabilities,
    clock,
    send,
    logLevel: () => state.features.logLevel,
    toQuestion: (question) => toQuestion(question, version),
  });
  const { client } = connected;
  const session = front.connect(client, { constantLists: false });
  const showsUrls = opensUrls(capabilities);
  const state: LegacyState = {
    ...{ front, session, connected, showsUrls, send },
    hasTasks: version === newestVersion,
    hasLinks: version >= formVersion,
    features: {
      capabilities,
      takesQuestions: false,
      opensUrls: localUser === true && showsUrls,
      logLevel: undefined,
    },
  };
  const { hasTasks } = state;
  const lists = createLegacyLists(state);
  const resources = createWatchedResources(session, { client, send });
  const stopWarnings = tellWarnings(state, identity.name);
  const run = (call: Call) => runLegacyTask(state, call);
  const tasks = createLegacyTasks({ tasks: store, connected, capabilities, send, run });

  const answerOther = async (request: Request, exchange: ClientRequestContext): Promise<Outcome> => {
    const { method, params } = request;
    const kind = findListedKind(method);
    if (kind !== undefined) return lists.list(kind, params);
    switch (method) {
      case 'ping':
        return { result: RawJson.of({}) };
      case 'resources/subscribe':
        return resources.subscribe(params);
      case 'resources/unsubscribe':
        return resources.unsubscribe(params);
      case 'logging/setLevel':
        return setLegacyLevel(state, params);
      default:
        if (hasTasks && taskMethods.has(method)) return tasks.request(request, exchange);
        return { error: rpcError(rpcCode.methodNotFound, `Method ${quote(method)} is not offered.`) };
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
          lists.follow('tools');
          if (hasTasks && wantsTask(request)) return tasks.call(request, exchange, state.features);
          return passLegacyCall(state, request, exchange, session.callTool);
        case 'prompts/get':
          return passLegacyCall(state, request, exchange, session.getPrompt);
        case 'resources/read':
          return passLegacyCall(state, request, exchange, session.readResource);
        case 'completion/complete':
          return passLegacyCall(state, request, exchange, session.complete);
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
      lists.close();
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
  return { edge, answer: { result: RawJson.of(answer) } };
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
  // Servers of the other era do not give one.
  return { method, params: withMembers(params, { elicitationId: randomUUID() }) };
}
