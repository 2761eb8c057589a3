/**
 * Keeps what servers offer between runs, in the folder `catalog` of the state: read when a link is made, written a moment after a
 * server was heard, never on the way of a call, and only when there is something new to tell.
 */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { findHeardAt, parseKnownText, saysTheSame, toKnownText } from '../catalog/known-listing.ts';
import { createStore } from '../catalog/store.ts';
import type { ServerDefinition } from '../config/config.ts';
import type { Limits } from '../config/schema-limits.ts';
import { stampOf } from '../config/stamp.ts';
import { fingerprint, fingerprintWithValues, hasValues } from './fingerprint.ts';
import { type Known, toKnown, toKnownListing } from './known.ts';

export interface CatalogKeeper {
  find(definition: ServerDefinition, limits: Limits): Known | undefined;
  /** A server was heard. */
  keep(definition: ServerDefinition, known: Known): void;
  /** What was known of servers at the start; undefined when something else was heard of one, or nothing is kept. */
  ground(): KnownGround | undefined;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export interface KnownGround {
  /** The stamps of files as they were read, or written anew with the same content; undefined where there was none. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** When the first of them is not believed any more. */
  readonly until: number;
  /** Whether something is known of every server that is not disabled. */
  readonly whole: boolean;
}

export interface CatalogKeeperOptions {
  /** Nothing is kept without it. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  /** Believes nothing of earlier runs. */
  readonly fresh: boolean;
}

const saveDelayMs = 500;
/** What has not changed is written again after this, so that it does not look older than it is. */
const confirmMs = 60 * 60 * 1_000;
/** What nobody has confirmed for so long is not believed any more. */
const longestMs = 30 * 24 * 60 * 60 * 1_000;

export function createCatalogKeeper({ stateDir, clock, fresh }: CatalogKeeperOptions): CatalogKeeper {
  if (stateDir === undefined)
    return { find: () => undefined, keep() {}, ground: () => undefined, close: async () => {} };
  const store = createStore(join(stateDir, 'catalog'));
  const unsaved = new Map<string, Known>();
  let stopTimer: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();
  let pruned = false;
  let folderKey: string | undefined;
  const files = new Map<string, string | undefined>();
  let until = clock.now() + longestMs;
  let whole = true;
  /** Whether a start now would know what this one did. */
  let steady = !fresh;

  const nameOf = (definition: ServerDefinition, { create }: { create: boolean }): string | undefined => {
    if (!hasValues(definition)) return fingerprint(definition);
    // Under which name it is kept depends on it.
    if (!files.has(store.keyFile)) files.set(store.keyFile, stampOf(store.keyFile));
    folderKey ??= store.findKey({ create });
    return folderKey === undefined ? undefined : fingerprintWithValues(definition, folderKey);
  };
  const findFile = (name: string): string | undefined => {
    const file = store.fileOf(name);
    files.set(file, stampOf(file));
    return store.find(name);
  };
  const saveOne = async (name: string, known: Known): Promise<void> => {
    const text = toKnownText(toKnownListing(known));
    const file = store.fileOf(name);
    const before = store.find(name);
    const since = before === undefined ? undefined : findHeardAt(before);
    const isConfirmed = since !== undefined && since <= known.heardAt && known.heardAt - since < confirmMs;
    const isNews = before === undefined || !saysTheSame(before, text);
    // Another Workbench may have written what it heard meanwhile.
    if (isNews || stampOf(file) !== files.get(file)) steady = false;
    if (!isNews && isConfirmed) return;
    const saved = await store.save(name, text);
    files.set(file, stampOf(file));
    if (!saved || pruned) return;
    pruned = true;
    await store.prune(clock.now());
  };
  const saveAll = async (): Promise<void> => {
    for (const [name, known] of unsaved) {
      unsaved.delete(name);
      await saveOne(name, known);
    }
  };
  const save = () => {
    stopTimer?.();
    stopTimer = undefined;
    saving = saving.then(saveAll).catch(() => {});
    return saving;
  };

  return {
    find(definition, limits) {
      if (fresh || definition.disabled) return undefined;
      const name = nameOf(definition, { create: false });
      const text = name === undefined ? undefined : findFile(name);
      const found = text === undefined ? undefined : parseKnownText(text, limits);
      if (found === undefined || clock.now() - found.heardAt > longestMs) {
        whole = false;
        return undefined;
      }
      until = Math.min(until, found.heardAt + longestMs);
      // A time to come says that a clock was wrong: as good as none.
      return toKnown(found.heardAt > clock.now() ? { ...found, heardAt: 0 } : found);
    },
    keep(definition, known) {
      const name = nameOf(definition, { create: true });
      if (name === undefined) return;
      unsaved.set(name, known);
      stopTimer ??= clock.after(saveDelayMs, save);
    },
    ground: () => (steady && unsaved.size === 0 ? { files, until, whole } : undefined),
    close: save,
  };
}
