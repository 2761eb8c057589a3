/**
 * The one listen stream to a server of the stateless era: changes of its lists, and the resources that are watched. What is
 * wanted cannot be changed on an open stream, so another is opened, and the one before ends when that is acknowledged.
 */

import { type Clock, within } from '../../base/async/clock.ts';
import type { Outcome } from '../../base/call/call.ts';
import { findMember, findObject, type JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { capabilities as known } from '../../catalog/kind.ts';
import type { PendingRequest, RpcPeer } from '../rpc/rpc-peer.ts';

export interface ModernListen {
  /** Listens for these resources, and always for changes of lists. */
  listen(uris: readonly string[]): Promise<void>;
  /** The same, for the sake of one of them: an error when the server does not go along with it. */
  subscribe(uri: string, all: readonly string[]): Promise<Outcome>;
  /** The server says what it will announce. */
  acknowledged(params: JsonObject): void;
}

/** A server that does not acknowledge in this time is taken to go along. */
const acknowledgeMs = 5_000;

export function createModernListen(
  peer: RpcPeer,
  options: { readonly clock: Clock; readonly capabilities: JsonObject; toParams(params: JsonObject): JsonObject },
): ModernListen {
  const { clock, capabilities, toParams } = options;
  const changing = known.filter((name) => findObject(capabilities, name)?.listChanged === true);
  const lists = Object.fromEntries(changing.map((name) => [`${name}ListChanged`, true]));
  let current: PendingRequest | undefined;
  let onAcknowledged: ((params: JsonObject) => void) | undefined;
  // One after the other: an acknowledgement is always that of the last.
  let last: Promise<unknown> = Promise.resolve();

  const open = async (uris: readonly string[]): Promise<JsonObject | undefined> => {
    const before = current;
    current = undefined;
    const filter = { ...lists, ...(uris.length === 0 ? {} : { resourceSubscriptions: [...uris] }) };
    let honoured: JsonObject | undefined;
    if (Object.keys(filter).length > 0) {
      const params = toParams({ notifications: filter });
      const acknowledged = new Promise<JsonObject>((resolve) => {
        onAcknowledged = resolve;
        current = peer.request('subscriptions/listen', () => params);
        // Refused, or over: nothing will be announced.
        current.outcome.then(
          () => resolve({}),
          () => resolve({}),
        );
      });
      honoured = await within(clock, acknowledgeMs, acknowledged);
    }
    before?.cancel('replaced by another');
    return honoured;
  };
  const enqueue = (uris: readonly string[]): Promise<JsonObject | undefined> => {
    const next = last.then(() => open(uris));
    last = next.catch(() => {});
    return next;
  };

  return {
    listen: async (uris) => void (await enqueue(uris)),
    async subscribe(uri, all) {
      const honoured = await enqueue(all);
      const watched = honoured === undefined ? all : findMember(honoured, 'resourceSubscriptions');
      if (Array.isArray(watched) && watched.includes(uri)) return { result: RawJson.of({}) };
      return { error: rpcError(rpcCode.invalidParams, `The server does not announce changes of '${uri}'.`, { uri }) };
    },
    acknowledged(params) {
      onAcknowledged?.(findObject(params, 'notifications') ?? {});
    },
  };
}
