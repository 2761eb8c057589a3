/** The stateless era (2026-07-28) towards a client: every request says who asks and in which version. */

import { uncacheable } from '../../base/call/cache-hint.ts';
import { type Client, isLogLevel, type Outcome } from '../../base/call/call.ts';
import { findMember, findObject, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { extensionKeys, metaKeys } from '../../base/rpc/mcp.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import { type FrontSession, findListedKind, type Kind } from '../../front/front.ts';
import type { Request } from '../conversation/message.ts';
import { withoutExecution } from '../edge/downgrade.ts';
import type { ClientEdge, EdgeOptions } from '../edge/edge.ts';
import { toReaches } from '../edge/find-return.ts';
import { readListPage } from '../edge/list-page.ts';
import { toModernClient } from '../edge/modern-client.ts';
import { legacyVersions } from '../legacy/legacy.ts';
import { createModernTasks } from '../tasks/modern-tasks.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { createListening } from './listen.ts';
import { createPassCall, type ModernExchange } from './modern-call.ts';
import { createModernResults } from './modern-result.ts';
import type { ParkedCalls } from './parked-calls.ts';

const modernVersion = '2026-07-28';
const supportedVersions: readonly string[] = [modernVersion, ...legacyVersions];
const capabilities: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
  extensions: { [extensionKeys.tasks]: {} },
};

/** Whether a version is of this era, known to us or not. */
export function isModernVersion(version: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= modernVersion;
}

/** The version that a request names itself. */
export function findVersion({ meta }: Request): Json | undefined {
  return findMember(meta, metaKeys.version);
}

export interface ModernEdgeOptions extends EdgeOptions {
  /** Calls that wait for an answer outlive the edge they came by. */
  readonly calls: ParkedCalls;
  readonly tasks: TaskStore;
  /** The first client of the only principal that comes by this edge; undefined where each exchange says who it is. */
  readonly client?: Client;
}

/** Nothing is known about a stateless client before its first request. */
export const modernClient: Client = { name: 'modern client', principal: '' };

export function createModernEdge(options: ModernEdgeOptions): ClientEdge {
  const { front, identity, calls, tasks, localUser = false, client = modernClient } = options;
  const session = front.connect(client, { constantLists: true });
  const stamp: JsonObject = { [metaKeys.serverInfo]: { ...identity } };
  const results = createModernResults(stamp);
  const { complete } = results;
  const listening = createListening({ session, stamp, tasks, results });
  const pass = createPassCall({ calls, tasks, results, localUser });
  const taskRequests = createModernTasks(tasks, results);
  /** What all are shown, but for the few that a server offers something else. */
  const withSession = <T>(asking: Client, use: (shown: FrontSession) => Promise<T>): Promise<T> => {
    const own = front.findOwn(asking);
    return own === undefined ? use(session) : use(own).finally(() => own.close());
  };
  const read = async (request: Request, exchange: ModernExchange): Promise<Outcome> => {
    // What comes in a later round was made for one question and is not kept.
    let hint = uncacheable;
    const outcome = await pass(request, exchange, async (call) => {
      const found = await withSession(call.client, ({ readResource }) => readResource(call));
      if ('result' in found) hint = found.hint ?? uncacheable;
      return found;
    });
    if ('error' in outcome || findMember(outcome.result.value, 'resultType') !== 'complete') return outcome;
    return { result: outcome.result.with({ ...hint }) };
  };

  const list = (kind: Kind, { params }: Request, asking: Client): Promise<Outcome> =>
    withSession(asking, async (shown) => {
      const found = await readListPage(shown, kind, params);
      return 'error' in found ? found : complete(withoutExecution(found.page), { ...shown.hint(kind) });
    });

  return {
    async request(request, given) {
      const problem = findMetaFault(request);
      if (problem !== undefined) return { error: problem };
      const asking = given.client ?? toModernClient(request, client.principal);
      const exchange = { ...given, client: asking };
      const kind = findListedKind(request.method);
      if (kind !== undefined) return list(kind, request, asking);
      switch (request.method) {
        case 'server/discover':
          return complete(
            RawJson.of({
              supportedVersions: [...supportedVersions],
              capabilities,
              instructions: session.instructions,
              ...toReaches(front, findObject(request.meta, metaKeys.clientInfo) ?? {}),
            }),
            { ...uncacheable },
          );
        case 'tools/call':
          return pass(request, exchange, (call) => withSession(call.client, ({ callTool }) => callTool(call)));
        case 'prompts/get':
          return pass(request, exchange, (call) => withSession(call.client, ({ getPrompt }) => getPrompt(call)));
        case 'resources/read':
          return read(request, exchange);
        case 'completion/complete':
          return pass(request, exchange, (call) => withSession(call.client, (shown) => shown.complete(call)));
        case 'tasks/get':
        case 'tasks/update':
        case 'tasks/cancel':
          return taskRequests.request(request, asking.principal);
        case 'subscriptions/listen':
          return listening.listen(request, exchange);
        default:
          return { error: rpcError(rpcCode.methodNotFound, `Method ${quote(request.method)} is not offered.`) };
      }
    },
    close() {
      listening.close();
      session.close();
    },
  };
}

/** Why a request cannot be served in this era, as far as its metadata says. */
export function findMetaFault({ meta }: Request): RpcError | undefined {
  const version = findMember(meta, metaKeys.version);
  if (typeof version !== 'string') return rpcError(rpcCode.invalidParams, `"_meta" must hold "${metaKeys.version}".`);
  if (version !== modernVersion) {
    const data = { supported: [...supportedVersions], requested: version };
    return rpcError(
      rpcCode.unsupportedVersion,
      `Protocol version ${quote(version)} is not spoken in requests; use ${modernVersion}.`,
      data,
    );
  }
  if (!isObject(findMember(meta, metaKeys.capabilities)))
    return rpcError(rpcCode.invalidParams, `"_meta" must hold "${metaKeys.capabilities}", an object.`);
  const level = findMember(meta, metaKeys.logLevel);
  if (level !== undefined && !isLogLevel(level))
    return rpcError(rpcCode.invalidParams, `"${metaKeys.logLevel}" must be one of the eight log levels.`);
  return undefined;
}
