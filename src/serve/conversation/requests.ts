/** The requests of one client that are not answered yet: each can be cancelled, and the end can wait for them. */

import { type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import { InFlightMap } from '../../base/async/in-flight-map.ts';
import { isRpcId, type RpcId } from '../../base/rpc/rpc.ts';

export interface OpenRequests {
  /** No more may be open at once. */
  readonly full: boolean;
  /** A client waits for an answer. */
  readonly busy: boolean;
  /** The signal of a new request, or undefined when its id is already in use. */
  begin(id: RpcId): CancelSignal | undefined;
  end(id: RpcId): void;
  /** The request stays open without an answer: it can still be cancelled, but `idle` does not wait for it. */
  keep(id: RpcId): void;
  cancel(id: unknown): void;
  cancelAll(): void;
  /** Resolves when nothing is open. */
  idle(): Promise<void>;
}

export function createOpenRequests(most = Number.POSITIVE_INFINITY): OpenRequests {
  // Here as in JSON, 1 and "1" are different ids.
  const open = new InFlightMap<RpcId, CancelToken>();
  const kept = new Map<RpcId, CancelToken>();
  let waiting: (() => void)[] = [];
  const settle = () => {
    if (open.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    get full() {
      return open.size + kept.size >= most;
    },
    get busy() {
      return open.size > 0;
    },
    begin(id) {
      if (open.has(id) || (kept.size > 0 && kept.has(id))) return undefined;
      const stop = new CancelToken();
      open.set(id, stop);
      return stop;
    },
    end(id) {
      open.delete(id);
      settle();
    },
    keep(id) {
      const stop = open.delete(id);
      if (stop !== undefined && !stop.aborted) kept.set(id, stop);
      settle();
    },
    cancel(id) {
      if (!isRpcId(id)) return;
      (open.get(id) ?? kept.get(id))?.abort();
      kept.delete(id);
    },
    cancelAll() {
      for (const stop of [...open.values(), ...kept.values()]) stop.abort();
      kept.clear();
    },
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
