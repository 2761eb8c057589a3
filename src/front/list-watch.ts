/**
 * Tells a client that a list has changed: once per burst of changes, and only if it differs from what the client was given.
 * Lists whose changes are announced together are watched together.
 */
import type { Clock } from '../base/clock.ts';
import { createSignal } from '../base/signal.ts';

const burstMs = 50;

export interface ListWatch<Name extends string> {
  /** The client has just been given the current list of this name. */
  given(name: Name): void;
  /** Something may have changed. */
  check(): void;
  on(listener: () => void): () => void;
  close(): void;
}

export function createListWatch<Name extends string>(
  clock: Clock,
  versions: ReadonlyMap<Name, () => string>,
): ListWatch<Name> {
  const changed = createSignal<void>();
  const known = new Map<Name, string>();
  let cancel: (() => void) | undefined;

  /** Takes over the current versions; says whether one of those known was another. */
  const update = (): boolean => {
    let differs = false;
    for (const [name, before] of known) {
      const version = versions.get(name)?.() ?? before;
      if (version !== before) differs = true;
      known.set(name, version);
    }
    return differs;
  };
  return {
    given(name) {
      const version = versions.get(name)?.();
      if (version !== undefined) known.set(name, version);
    },
    check() {
      cancel ??= clock.after(burstMs, () => {
        cancel = undefined;
        // Who has not seen a list yet cannot miss a change of it.
        if (update()) changed.emit();
      });
    },
    on(listener) {
      for (const [name, version] of versions) if (!known.has(name)) known.set(name, version());
      return changed.on(listener);
    },
    close() {
      cancel?.();
    },
  };
}
