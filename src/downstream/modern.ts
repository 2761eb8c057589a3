/** The stateless era (2026-07-28) towards a server: metadata on every request, changes only on a listen stream. */
import type { Outcome } from '../base/call.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../base/json.ts';
import type { Payload } from '../base/payload.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import { capabilities as known } from '../catalog/kind.ts';
import type { Identity, ServerEdge } from './edge.ts';
import type { Peer } from './peer.ts';
import { toServerInfo } from './server-info.ts';

export const modernVersion = '2026-07-28';
const prefix = 'io.modelcontextprotocol/';

export function modernMeta(identity: Identity): JsonObject {
  return {
    [`${prefix}protocolVersion`]: modernVersion,
    [`${prefix}clientInfo`]: { ...identity },
    [`${prefix}clientCapabilities`]: {},
  };
}

/** The edge for a server that has answered `server/discover` with a version we speak, else undefined. */
export function createModernEdge(peer: Peer, identity: Identity, answer: JsonObject): ServerEdge | undefined {
  const versions = findMember(answer, 'supportedVersions');
  if (!Array.isArray(versions) || !versions.includes(modernVersion)) return undefined;
  const capabilities = findObject(answer, 'capabilities') ?? {};
  const own = modernMeta(identity);

  const toParams: ServerEdge['toParams'] = (params, { token, logLevel }) =>
    withMembers(params, {
      _meta: {
        ...findObject(params, '_meta'),
        ...own,
        ...(token === undefined ? {} : { progressToken: token }),
        ...(logLevel === undefined ? {} : { [`${prefix}logLevel`]: logLevel }),
      },
    });

  return {
    era: 'modern',
    protocolVersion: modernVersion,
    info: toServerInfo(findObject(answer, '_meta')?.[`${prefix}serverInfo`]),
    capabilities,
    instructions: findString(answer, 'instructions'),
    completes: Object.hasOwn(capabilities, 'completions'),
    toParams,
    toOutcome: (outcome, method) => toNeutral(outcome, method, peer.who),
    watchLists() {
      const changing = known.filter((name) => findObject(capabilities, name)?.listChanged === true);
      if (changing.length === 0) return;
      const notifications = Object.fromEntries(changing.map((name) => [`${name}ListChanged`, true]));
      const params = toParams({ notifications }, {});
      peer.request('subscriptions/listen', () => params).outcome.catch(() => {});
    },
    // The level travels with each request.
    ensureLogLevel() {},
  };
}

const ofOurHop = new Set<number>([rpcCode.headerMismatch, rpcCode.missingCapability, rpcCode.unsupportedVersion]);

/** A result without the era's own members. Kinds of result that we never declared support for are not passed on. */
function toNeutral(outcome: Outcome, method: string, who: string): Outcome {
  if ('error' in outcome) {
    // This era has no code of its own for a resource that is not there.
    if (method === 'resources/read' && outcome.error.code === rpcCode.invalidParams)
      return { error: { ...outcome.error, code: rpcCode.resourceNotFound } };
    // These describe our hop, not the client's.
    if (!ofOurHop.has(outcome.error.code)) return outcome;
    return {
      error: rpcError(
        rpcCode.internal,
        `${who} needs something the Workbench did not offer it: ${outcome.error.message}`,
        { original: outcome.error },
      ),
    };
  }
  const { value } = outcome.result;
  const type = findMember(value, 'resultType') ?? 'complete';
  if (type !== 'complete') {
    return {
      error: rpcError(
        rpcCode.internal,
        `${who} answered with a result of type ${typeof type === 'string' ? `'${type}'` : typeof type}, which was not asked for.`,
      ),
    };
  }
  const removed: Record<string, Payload | undefined> = {};
  for (const key of ['resultType', 'ttlMs', 'cacheScope']) if (Object.hasOwn(value, key)) removed[key] = undefined;
  const meta = outcome.result.find('_meta');
  const reserved = Object.keys(meta?.value ?? {}).filter((key) => key.startsWith(prefix));
  if (meta !== undefined && reserved.length > 0) {
    const empty = reserved.length === Object.keys(meta.value).length;
    removed._meta = empty ? undefined : meta.with(Object.fromEntries(reserved.map((key) => [key, undefined])));
  }
  return Object.keys(removed).length === 0 ? outcome : { result: outcome.result.with(removed) };
}
