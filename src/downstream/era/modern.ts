/** The stateless era (2026-07-28) towards a server: metadata on every request, changes only on a listen stream. */

import type { Clock } from '../../base/async/clock.ts';
import { readHint } from '../../base/call/cache-hint.ts';
import type { Call, Round } from '../../base/call/call.ts';
import { findIds, reachesKey } from '../../base/call/trail.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../../base/json/json.ts';
import { extensionKeys, metaKeys, methodFacts } from '../../base/rpc/mcp.ts';
import type { RpcPeer } from '../rpc/rpc-peer.ts';
import { followModern } from '../tasks/follow-modern.ts';
import type { Identity, ServerEdge } from './edge.ts';
import { createModernListen } from './modern-listen.ts';
import { toModernOutcome } from './modern-outcome.ts';
import { toServerInfo } from './server-info.ts';

export const modernVersion = '2026-07-28';

export function modernMeta(identity: Identity, declared: JsonObject): JsonObject {
  return {
    [metaKeys.version]: modernVersion,
    [metaKeys.clientInfo]: { ...identity },
    [metaKeys.capabilities]: toCapabilities(declared),
  };
}

/** This era has no notification that roots have changed. */
function toCapabilities(declared: JsonObject): JsonObject {
  return Object.hasOwn(declared, 'roots') ? withMembers(declared, { roots: {} }) : declared;
}

/** The edge for a server that has answered `server/discover` with a version we speak, else undefined. */
export function createModernEdge(
  peer: RpcPeer,
  answer: JsonObject,
  { identity, declared, clock }: { readonly identity: Identity; readonly declared: JsonObject; readonly clock: Clock },
): ServerEdge | undefined {
  const versions = findMember(answer, 'supportedVersions');
  if (!Array.isArray(versions) || !versions.includes(modernVersion)) return undefined;
  const capabilities = findObject(answer, 'capabilities') ?? {};
  const own = modernMeta(identity, declared);

  const toParams: ServerEdge['toParams'] = (params, { token, call, round }) =>
    withMembers(params, {
      ...(call !== undefined && methodFacts(call.method).mayAsk === true ? toMembers(round) : {}),
      _meta: {
        ...findObject(params, '_meta'),
        ...(call === undefined ? own : modernMeta(identity, declaredFor(call))),
        ...(token === undefined ? {} : { progressToken: token }),
        ...(call?.features.logLevel === undefined ? {} : { [metaKeys.logLevel]: call.features.logLevel }),
      },
    });

  const listening = createModernListen(peer, { clock, capabilities, toParams: (params) => toParams(params, {}) });

  return {
    era: 'modern',
    protocolVersion: modernVersion,
    info: toServerInfo(findObject(answer, '_meta')?.[metaKeys.serverInfo]),
    capabilities,
    instructions: findString(answer, 'instructions'),
    reaches: findIds(findObject(answer, '_meta'), reachesKey),
    completes: Object.hasOwn(capabilities, 'completions'),
    isSession: false,
    asksInAnswers: true,
    logsForCallsOnly: true,
    toParams,
    findTask(outcome, { method }) {
      const result = method === 'tools/call' && 'result' in outcome ? outcome.result.value : {};
      return result.resultType === 'task' && typeof result.taskId === 'string' ? result : undefined;
    },
    followTask: followModern,
    toOutcome: (outcome, call) => toModernOutcome(outcome, call, peer.who),
    listHint: readHint,
    watchLists: () => void listening.listen([]),
    subscribe: listening.subscribe,
    unsubscribe: (_uri, all) => void listening.listen(all),
    acknowledged: listening.acknowledged,
    // The level travels with each request.
    ensureLogLevel() {},
    rootsChanged() {},
  };
}

/** What its client offers; tasks are offered by us, who see them through. */
function declaredFor({ method, features: { capabilities } }: Call): JsonObject {
  if (method !== 'tools/call') return capabilities;
  return { ...capabilities, extensions: { ...findObject(capabilities, 'extensions'), [extensionKeys.tasks]: {} } };
}

/** Only what there is: a state that did not come must not be sent back. */
function toMembers({ inputResponses, requestState }: Round = {}): JsonObject {
  return {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}
