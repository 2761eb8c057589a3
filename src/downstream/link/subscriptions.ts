/**
 * The resources that are watched on one server. Each is subscribed to once for all its watchers, and again on every new connection.
 * A change that the server announces goes to all watchers.
 */
import type { Outcome } from '../../base/call/call.ts';
import type { OnUpdated, Watch } from '../../base/call/watch.ts';
import { toMessage } from '../../base/errors/errors.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';

/** The part of a connection that is needed. */
export interface Watchable {
  /** `all` is everything that is watched from now on. */
  subscribe(uri: string, all: readonly string[]): Promise<Outcome>;
  unsubscribe(uri: string, all: readonly string[]): void;
}

export interface Subscriptions {
  readonly size: number;
  /** Resolves when the server has agreed, or with its refusal. */
  add(uri: string, listener: OnUpdated, connection: Watchable): Promise<Watch>;
  /** The server has announced a change. */
  updated(uri: string): void;
  /** A new connection has replaced a lost one: everything is subscribed to again. */
  renew(connection: Watchable): void;
}

interface Watched {
  readonly listeners: Set<OnUpdated>;
  agreed: Promise<Outcome>;
}

export function createSubscriptions(): Subscriptions {
  const watched = new Map<string, Watched>();
  let current: Watchable | undefined;

  const begin = (uri: string): Promise<Outcome> => {
    const asked = current?.subscribe(uri, [...watched.keys(), ...(watched.has(uri) ? [] : [uri])]);
    return (
      asked?.catch((error: unknown) => ({ error: rpcError(rpcCode.internal, toMessage(error)) })) ??
      Promise.resolve({ error: rpcError(rpcCode.internal, 'The server is not connected.') })
    );
  };

  const stop = (uri: string, listener: OnUpdated) => {
    const found = watched.get(uri);
    if (found === undefined || !found.listeners.delete(listener) || found.listeners.size > 0) return;
    watched.delete(uri);
    current?.unsubscribe(uri, [...watched.keys()]);
  };

  return {
    get size() {
      return watched.size;
    },
    async add(uri, listener, connection) {
      current = connection;
      let found = watched.get(uri);
      if (found === undefined) {
        found = { listeners: new Set(), agreed: begin(uri) };
        watched.set(uri, found);
      }
      // Each watch gets its own listener, so that a caller that watches twice has two to stop.
      const own: OnUpdated = (updated) => listener(updated);
      found.listeners.add(own);
      const outcome = await found.agreed;
      if ('error' in outcome) {
        stop(uri, own);
        return outcome;
      }
      return { stop: () => stop(uri, own) };
    },
    updated(uri) {
      for (const [of, { listeners }] of watched)
        if (uri === of || isInside(uri, of)) for (const listener of [...listeners]) listener(uri);
    },
    renew(connection) {
      current = connection;
      for (const [uri, each] of watched) each.agreed = begin(uri);
    },
  };
}

/** A server may announce a part of what is watched. */
function isInside(uri: string, of: string): boolean {
  return uri.startsWith(of) && (of.endsWith('/') || '/?#'.includes(uri.charAt(of.length)));
}
