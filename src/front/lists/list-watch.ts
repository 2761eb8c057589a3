/**
 * Tells a client that a list has changed: once per burst of changes, and only if it differs from what the client was given.
 * Lists whose changes are announced together are watched together.
 */
import type { Clock } from '../../base/async/clock.ts';
import { createEmitter } from '../../base/async/emitter.ts';

const burstMs = 50;

/** A list, as far as it can be told from others. */
export interface Versioned {
  readonly version: string;
}

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
  lists: ReadonlyMap<Name, () => Versioned>,
): ListWatch<Name> {
  const changed = createEmitter<void>();
  const known = new Map<Name, Versioned>();
  let cancel: (() => void) | undefined;
  let cancelForget: (() => void) | undefined;
  let closed = false;

  /** Stores the current versions; returns whether a known one was different. */
  const update = (): boolean => {
    let differs = false;
    for (const [name, before] of known) {
      const { version } = lists.get(name)?.() ?? before;
      if (version !== before.version) differs = true;
      known.set(name, { version });
    }
    return differs;
  };
  /** Keeps only the version of a list. Making it takes a while, and the client waits for the list. */
  const forgetSoon = () => {
    cancelForget ??= clock.after(burstMs, () => {
      cancelForget = undefined;
      for (const [name, { version }] of known) known.set(name, { version });
    });
  };
  return {
    given(name) {
      const list = closed ? undefined : lists.get(name)?.();
      // A list may be given to a client that has just left.
      if (list === undefined) return;
      known.set(name, list);
      forgetSoon();
    },
    check() {
      cancel ??= clock.after(burstMs, () => {
        cancel = undefined;
        // A client that has not seen a list yet cannot miss a change of it.
        if (update()) changed.emit();
      });
    },
    on(listener) {
      for (const [name, current] of lists) if (!known.has(name)) known.set(name, { version: current().version });
      return changed.on(listener);
    },
    close() {
      closed = true;
      cancel?.();
      cancelForget?.();
    },
  };
}
