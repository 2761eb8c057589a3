/** The handshake era (2024-11-05 … 2025-11-25) towards a client. */
import { type Call, type Client, isLogLevel, type LogLevel, type Outcome, reaches } from '../base/call.ts';
import { findMember, findObject, findString, type JsonObject } from '../base/json.ts';
import { Payload } from '../base/payload.ts';
import { notificationText, type RpcError, rpcCode, rpcError } from '../base/rpc.ts';
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
import { readListPage } from './list-page.ts';
import { lowerList, lowerResult } from './lower.ts';
import { findCallFault, type Request } from './message.ts';
import { toCall } from './to-call.ts';

export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const newestVersion = '2025-11-25';
const batchVersion = '2025-03-26';

export interface LegacyEdge extends ClientEdge {
  /** The revision agreed on allows several messages in one array. */
  readonly takesBatches: boolean;
  /** The revision agreed on wants a stream to begin with an event that has an id and no data. */
  readonly primesStreams: boolean;
}

/** Made by the client's `initialize`; `answer` is what to reply to it. */
export function createLegacyEdge(
  { front, identity, send, localUser }: EdgeOptions,
  initialize: Request,
): { edge: LegacyEdge; answer: Outcome } {
  const asked = findString(initialize.params, 'protocolVersion') ?? '';
  const version = legacyVersions.includes(asked) ? asked : newestVersion;
  const clientInfo = findObject(initialize.params, 'clientInfo');
  const client: Client = { name: (clientInfo && findString(clientInfo, 'name')) ?? 'unknown' };
  const session = front.connect(client, { constantLists: false });
  let level: LogLevel | undefined;

  // A client that has not asked for anything yet cannot miss a change: while servers start, it hears nothing.
  const watched = new Map<Capability, () => void>();
  const watch = (capability: Capability) => {
    if (watched.has(capability)) return;
    const tell = () => send(notificationText(changeMethod(capability), {}));
    watched.set(capability, session.onListChanged(capability, tell));
  };
  const stopLogs = front.onServerLog((params) => {
    const found = findMember(params, 'level');
    if (level !== undefined && isLogLevel(found) && reaches(found, level))
      send(notificationText('notifications/message', params));
  });

  const opensUrls = localUser === true && version === newestVersion && declaresUrls(initialize.params);
  const pass = async (
    request: Request,
    exchange: Exchange,
    run: (call: Call) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const fault = findCallFault(request);
    if (fault !== undefined) return { error: fault };
    try {
      return await run(toCall(request, exchange, { client, logLevel: level, opensUrls }));
    } catch (error) {
      if (!(error instanceof UrlNeeded)) throw error;
      const news = { elicitationId: error.id };
      void error.done.then(() => send(notificationText('notifications/elicitation/complete', news)));
      return { error: urlRequired(error) };
    }
  };

  const edge: LegacyEdge = {
    takesBatches: version === batchVersion,
    primesStreams: version === newestVersion,
    async request(request, exchange) {
      const kind = findListedKind(request.method);
      if (kind !== undefined)
        return list(session, kind, request.params).finally(() => watch(kindRules[kind].capability));
      switch (request.method) {
        case 'ping':
          return { result: Payload.of({}) };
        case 'tools/call':
          watch('tools');
          return lowerResult(await pass(request, exchange, session.callTool));
        case 'prompts/get':
          return pass(request, exchange, session.getPrompt);
        case 'resources/read':
          return pass(request, exchange, session.readResource);
        case 'completion/complete':
          return pass(request, exchange, session.complete);
        case 'logging/setLevel': {
          const wanted = findMember(request.params, 'level');
          if (!isLogLevel(wanted))
            return { error: rpcError(rpcCode.invalidParams, '"level" must be one of the eight log levels.') };
          level = wanted;
          front.setLogLevel(wanted);
          return { result: Payload.of({}) };
        }
        default:
          return { error: rpcError(rpcCode.methodNotFound, `Method '${request.method}' is not offered.`) };
      }
    },
    close() {
      for (const stop of watched.values()) stop();
      stopLogs();
      session.close();
    },
  };
  const answer: JsonObject = {
    protocolVersion: version,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      completions: {},
      logging: {},
    },
    serverInfo: { ...identity },
    instructions: session.instructions,
  };
  return { edge, answer: { result: Payload.of(answer) } };
}

async function list(session: FrontSession, kind: Kind, params: JsonObject): Promise<Outcome> {
  const found = await readListPage(session, kind, params);
  return 'error' in found ? found : { result: lowerList(found.page) };
}

/** Whether the client said at the beginning that it can show an address to its user. */
function declaresUrls(params: JsonObject): boolean {
  const elicitation = findObject(findObject(params, 'capabilities') ?? {}, 'elicitation');
  return elicitation !== undefined && findObject(elicitation, 'url') !== undefined;
}

/** The client opens the address, hears that it is done, and makes its call again. */
function urlRequired({ id, url, message }: UrlNeeded): RpcError {
  const elicitation = { mode: 'url', elicitationId: id, url, message };
  return rpcError(rpcCode.urlRequired, message, { elicitations: [elicitation] });
}
