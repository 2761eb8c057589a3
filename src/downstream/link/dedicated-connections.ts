/**
 * Connections to one server beside the one that all share: each is used by one client only, or for one call, so that what the
 * server asks or says on it belongs to that client for certain.
 */

import type { Clock } from '../../base/async/clock.ts';
import { type Call, type CallOutcome, type Client, type LogLevel, ownKeyOf } from '../../base/call/call.ts';
import type { OnUpdated, Watch } from '../../base/call/watch.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import type { Listing } from '../../catalog/listing.ts';
import { createProgress, type Progress } from '../call/progress.ts';
import type { ClientLane, LaneEvents } from './connect-dedicated.ts';
import type { Lane } from './plan-lane.ts';
import { awaitStart } from './start-notice.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export interface DedicatedConnectionsOptions {
  readonly server: string;
  readonly clock: Clock;
  connect(client: Client, events: LaneEvents): ClientLane;
  /** So many beside the shared one. */
  readonly most?: number;
  /** How long one is kept for a client that cannot say when it has gone. */
  readonly idleMs?: number;
  /** One that is not used for so long is ended, and made again for the next call. Undefined: it stays as long as its client. */
  readonly sleepMs?: number | undefined;
  /** What is listed for one client has changed. */
  onOwnListingChanged(client: Client): void;
}

export interface DedicatedConnections {
  call(lane: Exclude<Lane, 'main'>, call: Call, progress?: Progress): Promise<CallOutcome>;
  /** Watches a resource on the connection of this client. */
  watch(client: Client, uri: string, listener: OnUpdated): Promise<Watch>;
  /** This client wants log messages from here on, down to this level. */
  setLogLevel(client: Client, level: LogLevel): void;
  /** What the server lists for this client; undefined where it has no connection of its own, or was not heard there yet. */
  listing(client: Client): Listing | undefined;
  close(): Promise<void>;
}

interface Held {
  readonly lane: ClientLane;
  readonly client: Client;
  /** What a client watches goes over to the next when one is lost. */
  readonly subscriptions: Subscriptions;
  calls: number;
  lost: boolean;
  stopIdle(): void;
}

export function createDedicatedConnections(options: DedicatedConnectionsOptions): DedicatedConnections {
  const { server, clock, connect, most = 64, sleepMs } = options;
  const idleMs = Math.min(options.idleMs ?? 10 * 60_000, sleepMs ?? Number.POSITIVE_INFINITY);
  const held = new Set<Held>();
  const owned = new Map<Client | string, Held>();

  const drop = (each: Held): Promise<void> => {
    each.stopIdle();
    const wasListed = !each.lost && each.lane.listing !== undefined;
    each.lost = true;
    held.delete(each);
    const stopped = each.lane.stop();
    // What was listed there is not any more.
    if (wasListed) options.onOwnListingChanged(each.client);
    return stopped;
  };
  const isIdle = ({ client, calls, subscriptions }: Held) =>
    client.session === undefined && calls === 0 && subscriptions.size === 0;

  const open = (client: Client, subscriptions = createSubscriptions()): Held => {
    const idle = held.size >= most ? [...held].find(isIdle) : undefined;
    if (idle !== undefined) void drop(idle);
    if (held.size >= most)
      throw new WorkbenchError('WB1017', `Server '${server}' already runs ${most} times, once for every client.`);
    const lane = connect(client, {
      onLost: () => void drop(each),
      onUpdated: subscriptions.updated,
      onListingChanged: () => options.onOwnListingChanged(client),
    });
    const each: Held = { lane, client, subscriptions, calls: 0, lost: false, stopIdle() {} };
    held.add(each);
    // The call that waits for a failed start is told by its promise.
    lane.connected.catch(() => void drop(each));
    return each;
  };

  const openOwn = (client: Client): Held => {
    const key = ownKeyOf(client);
    const found = owned.get(key);
    if (found !== undefined && !found.lost) return found;
    const each = open(client, found?.subscriptions);
    owned.set(key, each);
    each.lane.connected.then(({ connection }) => each.subscriptions.renew(connection)).catch(() => {});
    if (found === undefined)
      client.session?.onClose(() => {
        const own = owned.get(key);
        owned.delete(key);
        if (own !== undefined) void drop(own);
      });
    return each;
  };

  /** It may be without calls for a while now. */
  const restSoon = (each: Held) => {
    each.stopIdle();
    const ms = each.client.session === undefined ? idleMs : sleepMs;
    if (ms === undefined || each.calls > 0 || each.subscriptions.size > 0 || !held.has(each)) return;
    each.stopIdle = clock.after(ms, () => {
      void drop(each);
      // A client with a session keeps its watches for the next connection.
      if (each.client.session === undefined) owned.delete(ownKeyOf(each.client));
    });
  };

  const callOn = async (each: Held, call: Call, progress: Progress): Promise<CallOutcome> => {
    each.stopIdle();
    each.calls++;
    try {
      const { connection } = await awaitStart(each.lane.connected, call, { server, clock, progress });
      await each.lane.ready(call);
      return await connection.call(call, progress);
    } finally {
      each.calls--;
    }
  };

  return {
    async call(kind, call, progress = createProgress(call, clock)) {
      const each = kind === 'own' ? openOwn(call.client) : open(call.client);
      try {
        return await callOn(each, call, progress);
      } finally {
        if (kind === 'own') restSoon(each);
        else void drop(each);
      }
    },
    async watch(client, uri, listener) {
      const each = openOwn(client);
      each.stopIdle();
      const { connection } = await each.lane.connected;
      const watch = await each.subscriptions.add(uri, listener, connection);
      if ('error' in watch) {
        restSoon(each);
        return watch;
      }
      return {
        stop() {
          watch.stop();
          restSoon(owned.get(ownKeyOf(client)) ?? each);
        },
      };
    },
    setLogLevel(client, level) {
      const each = owned.get(ownKeyOf(client));
      each?.lane.connected.then(({ connection }) => connection.edge.ensureLogLevel(level)).catch(() => {});
    },
    listing(client) {
      const each = owned.get(ownKeyOf(client));
      return each?.lost === false ? each.lane.listing : undefined;
    },
    async close() {
      owned.clear();
      await Promise.all([...held].map(drop));
    },
  };
}
