/** The handshake era (2024-11-05 … 2025-11-25) towards a server. */
import { uncacheable } from '../../base/call/cache-hint.ts';
import { type LogLevel, reaches } from '../../base/call/call.ts';
import { findIds, reachesKey } from '../../base/call/trail.ts';
import {
  findObject,
  findString,
  isObject,
  type JsonObject,
  withMembers,
  withoutMembers,
} from '../../base/json/json.ts';
import type { RpcPeer } from '../rpc/rpc-peer.ts';
import { followLegacy } from '../tasks/follow-legacy.ts';
import { completeMethod } from './complete.ts';
import type { Identity, ServerEdge } from './edge.ts';
import { toServerInfo } from './server-info.ts';

const newestLegacyVersion = '2025-11-25';
const knownVersions: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', newestLegacyVersion];
/** Had completion before there was a capability for it. */
const oldestVersion = '2024-11-05';
/** The first that knows what else was filled in. */
const contextVersion = '2025-06-18';

export function initializeParams(identity: Identity, declared: JsonObject): JsonObject {
  return { protocolVersion: newestLegacyVersion, capabilities: declared, clientInfo: { ...identity } };
}

/** The edge for a server that has answered `initialize`, or undefined when it answered a version that we do not know. */
export function createLegacyEdge(peer: RpcPeer, answer: JsonObject, declared: JsonObject): ServerEdge | undefined {
  const protocolVersion = findString(answer, 'protocolVersion') ?? '';
  if (!knownVersions.includes(protocolVersion)) return undefined;
  const capabilities = findObject(answer, 'capabilities') ?? {};
  peer.notify('notifications/initialized', {});
  let level: LogLevel | undefined;
  const takesTasks = protocolVersion === newestLegacyVersion && offersTasks(capabilities);

  return {
    era: 'legacy',
    protocolVersion,
    info: toServerInfo(answer.serverInfo),
    capabilities,
    instructions: findString(answer, 'instructions'),
    reaches: findIds(findObject(answer, '_meta'), reachesKey),
    completes: protocolVersion === oldestVersion || Object.hasOwn(capabilities, 'completions'),
    isSession: true,
    asksInAnswers: false,
    logsForCallsOnly: false,
    toParams(given, { token, call }) {
      const tooOld = call?.method === completeMethod && protocolVersion < contextVersion;
      const params = tooOld
        ? withoutMembers(given, ['context'])
        : takesTasks && call?.task?.wish !== undefined
          ? withMembers(given, { task: { ...call.task.wish } })
          : given;
      if (token === undefined) return params;
      return withMembers(params, { _meta: { ...findObject(params, '_meta'), progressToken: token } });
    },
    findTask(outcome, call) {
      const task =
        takesTasks && call.task?.wish !== undefined && 'result' in outcome ? outcome.result.value.task : undefined;
      return isObject(task) && typeof task.taskId === 'string' ? task : undefined;
    },
    followTask: followLegacy,
    toOutcome: (outcome) => outcome,
    listHint: () => uncacheable,
    // Servers of this era announce changes unasked.
    watchLists() {},
    subscribe: (uri) => peer.request('resources/subscribe', () => ({ uri })).outcome,
    unsubscribe(uri) {
      peer.request('resources/unsubscribe', () => ({ uri })).outcome.catch(() => {});
    },
    acknowledged() {},
    ensureLogLevel(wanted) {
      if (!Object.hasOwn(capabilities, 'logging')) return;
      if (level !== undefined && reaches(wanted, level)) return;
      level = wanted;
      peer.request('logging/setLevel', () => ({ level: wanted })).outcome.catch(() => {});
    },
    rootsChanged() {
      if (findObject(declared, 'roots')?.listChanged === true) peer.notify('notifications/roots/list_changed', {});
    },
  };
}

/** Only a server that declares it takes calls as tasks, also where its tools say so. */
function offersTasks(capabilities: JsonObject): boolean {
  const requests = findObject(findObject(capabilities, 'tasks') ?? {}, 'requests');
  return findObject(findObject(requests ?? {}, 'tools') ?? {}, 'call') !== undefined;
}
