/** Tells a client that its list has changed: once per burst of changes, and only if it differs from what the client was given. */
import type { Clock } from '../base/clock.ts';
import { createSignal } from '../base/signal.ts';

const burstMs = 50;

export interface ListWatch {
  /** The client has just been given the current list. */
  given(): void;
  /** Something may have changed. */
  check(): void;
  on(listener: () => void): () => void;
  close(): void;
}

export function createListWatch(clock: Clock, currentVersion: () => string): ListWatch {
  const changed = createSignal<void>();
  let known: string | undefined;
  let cancel: (() => void) | undefined;
  return {
    given() {
      known = currentVersion();
    },
    check() {
      cancel ??= clock.after(burstMs, () => {
        cancel = undefined;
        const version = currentVersion();
        // Who has not seen a list yet cannot miss a change of it.
        if (known === undefined || known === version) return;
        known = version;
        changed.emit();
      });
    },
    on(listener) {
      known ??= currentVersion();
      return changed.on(listener);
    },
    close() {
      cancel?.();
    },
  };
}
