/** The requests of one client that are not answered yet: each can be cancelled, and the end can wait for them. */
import { isRpcId, type RpcId } from '../base/rpc.ts';

export interface OpenRequests {
  /** No more may be open at once. */
  readonly full: boolean;
  /** The signal of a new request, or undefined when its id is already in use. */
  begin(id: RpcId): AbortSignal | undefined;
  end(id: RpcId): void;
  /** The request stays open without an answer: it can still be cancelled, but nobody waits for it. */
  keep(id: RpcId): void;
  cancel(id: unknown): void;
  cancelAll(): void;
  /** Resolves when nothing is open. */
  idle(): Promise<void>;
}

export function createOpenRequests(most = Number.POSITIVE_INFINITY): OpenRequests {
  // Keyed by the JSON text: 1 and "1" are different ids.
  const open = new Map<string, AbortController>();
  const kept = new Map<string, AbortController>();
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
    begin(id) {
      const key = JSON.stringify(id);
      if (open.has(key) || kept.has(key)) return undefined;
      const controller = new AbortController();
      open.set(key, controller);
      return controller.signal;
    },
    end(id) {
      open.delete(JSON.stringify(id));
      settle();
    },
    keep(id) {
      const key = JSON.stringify(id);
      const controller = open.get(key);
      open.delete(key);
      if (controller !== undefined && !controller.signal.aborted) kept.set(key, controller);
      settle();
    },
    cancel(id) {
      if (!isRpcId(id)) return;
      const key = JSON.stringify(id);
      (open.get(key) ?? kept.get(key))?.abort();
      kept.delete(key);
    },
    cancelAll() {
      for (const controller of [...open.values(), ...kept.values()]) controller.abort();
      kept.clear();
    },
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
