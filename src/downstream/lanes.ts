/**
 * Connections to one server beside the one that all share: each is used by one client only, or by one call at a time, so that
 * whatever the server asks or says on it can be nobody else's.
 */
import type { Call, CallOutcome, Client } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { OnUpdated, Watch } from '../base/watch.ts';
import type { Attempt } from './connect.ts';
import type { Lane } from './plan-lane.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

/** Whom a connection is made for. */
export interface LaneUse {
  readonly declared: JsonObject;
  /** Set when it belongs to one client for as long as both last. */
  readonly client?: Client;
}

export interface LaneEvents {
  onLost(): void;
  onUpdated(uri: string): void;
}

export interface LanesOptions {
  readonly server: string;
  readonly clock: Clock;
  connect(use: LaneUse, events: LaneEvents): Attempt;
  /** So many beside the shared one. */
  readonly most?: number;
  /** How long one that nobody uses is kept for the next call. */
  readonly idleMs?: number;
  /** A client's own that nobody uses for so long is ended, and made again for the next call. Undefined: it stays. */
  readonly sleepMs?: number | undefined;
}

/** Waits for a connection on behalf of a call. */
export type AwaitStart = <T>(start: Promise<T>) => Promise<T>;

export interface Lanes {
  call(lane: Exclude<Lane, 'main'>, call: Call, awaitStart?: AwaitStart): Promise<CallOutcome>;
  /** Watches a resource on the connection of this client. */
  watch(client: Client, uri: string, listener: OnUpdated): Promise<Watch>;
  close(): Promise<void>;
}

interface Held {
  readonly attempt: Attempt;
  /** Those who may take it over when it is idle; undefined for a client's own. */
  readonly kin: string | undefined;
  /** What a client watches goes over to the next when one is lost. */
  readonly subscriptions: Subscriptions;
  busy: boolean;
  /** Calls on a client's own. */
  calls: number;
  lost: boolean;
  stopIdle(): void;
}

export function createLanes(options: LanesOptions): Lanes {
  const { server, clock, connect, most = 64, sleepMs } = options;
  const idleMs = Math.min(options.idleMs ?? 60_000, sleepMs ?? Number.POSITIVE_INFINITY);
  const held = new Set<Held>();
  const ofSession = new Map<Client, Held>();

  const drop = (lane: Held): Promise<void> => {
    lane.stopIdle();
    held.delete(lane);
    return lane.attempt.stop();
  };

  const open = (use: LaneUse, kin?: string, subscriptions = createSubscriptions()): Held => {
    const idle = [...held].find(({ busy }) => !busy);
    if (held.size >= most && idle !== undefined) void drop(idle);
    if (held.size >= most)
      throw new WorkbenchError('WB1017', `Server '${server}' already runs ${most} times, once for every client.`);
    const attempt = connect(use, {
      onLost() {
        lane.lost = true;
        void drop(lane);
      },
      onUpdated: subscriptions.updated,
    });
    const lane: Held = { attempt, kin, subscriptions, busy: true, calls: 0, lost: false, stopIdle() {} };
    held.add(lane);
    // A failed start is told to whoever waits for it.
    attempt.connected.catch(() => {
      lane.lost = true;
      void drop(lane);
    });
    return lane;
  };

  const openSession = (client: Client): Held => {
    const found = ofSession.get(client);
    if (found !== undefined && !found.lost) return found;
    const lane = open({ declared: client.session?.capabilities ?? {}, client }, undefined, found?.subscriptions);
    ofSession.set(client, lane);
    lane.attempt.connected.then(({ connection }) => lane.subscriptions.renew(connection)).catch(() => {});
    if (found === undefined)
      client.session?.onClose(() => {
        const own = ofSession.get(client);
        ofSession.delete(client);
        if (own !== undefined) void drop(own);
      });
    return lane;
  };

  /** What one principal may do with the same capabilities is the same to a server. */
  const takeExclusive = ({ client, capabilities }: Call): Held => {
    const kin = JSON.stringify([client.principal, capabilities]);
    const idle = [...held].find((lane) => lane.kin === kin && !lane.busy && !lane.lost);
    if (idle === undefined) return open({ declared: capabilities }, kin);
    idle.stopIdle();
    idle.busy = true;
    return idle;
  };

  /** For a client's own: nobody may use it for a while now. */
  const sleepSoon = (lane: Held) => {
    lane.stopIdle();
    if (sleepMs === undefined || lane.calls > 0 || lane.subscriptions.size > 0 || !held.has(lane)) return;
    lane.stopIdle = clock.after(sleepMs, () => {
      lane.lost = true;
      void drop(lane);
    });
  };

  const callOwn = async (call: Call, awaitStart: AwaitStart): Promise<CallOutcome> => {
    const lane = openSession(call.client);
    lane.stopIdle();
    lane.calls++;
    try {
      const { connection } = await awaitStart(lane.attempt.connected);
      return await connection.call(call);
    } finally {
      lane.calls--;
      sleepSoon(lane);
    }
  };

  const giveBack = (lane: Held, { signal }: Call) => {
    lane.busy = false;
    // A server may go on with a call that was given up, and ask for it later.
    if (signal.aborted || !held.has(lane)) void drop(lane);
    else lane.stopIdle = clock.after(idleMs, () => void drop(lane));
  };

  return {
    async call(kind, call, awaitStart = (start) => start) {
      if (kind === 'session') return callOwn(call, awaitStart);
      const lane = kind === 'exclusive' ? takeExclusive(call) : open({ declared: call.capabilities });
      try {
        const { connection } = await awaitStart(lane.attempt.connected);
        return await connection.call(call);
      } finally {
        if (kind === 'exclusive') giveBack(lane, call);
        else void drop(lane);
      }
    },
    async watch(client, uri, listener) {
      const lane = openSession(client);
      lane.stopIdle();
      const { connection } = await lane.attempt.connected;
      const watch = await lane.subscriptions.add(uri, listener, connection);
      if ('error' in watch) {
        sleepSoon(lane);
        return watch;
      }
      return {
        stop() {
          watch.stop();
          sleepSoon(ofSession.get(client) ?? lane);
        },
      };
    },
    async close() {
      ofSession.clear();
      await Promise.all([...held].map(drop));
    },
  };
}
