/**
 * Keeps what servers offer between runs, in the folder `catalog` of the state: read when a link is made, written a moment after a
 * server was heard, never on the path of a call, and only when something has changed.
 */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { findHeardAt, parseKnownText, saysTheSame, toKnownText } from '../catalog/known-listing.ts';
import type { Listing } from '../catalog/listing.ts';
import { createStore } from '../catalog/store.ts';
import type { ServerDefinition } from '../config/config.ts';
import type { Limits } from '../config/schema-limits.ts';
import { stampOf } from '../config/stamp.ts';
import { fingerprint, fingerprintWithValues, hasValues } from './fingerprint.ts';
import { type Known, toKnown, toKnownListing } from './known.ts';

export interface CatalogKeeper {
  /** Finds only what was heard on the same ground: the same version of the server, told the same of its client. */
  find(definition: ServerDefinition, limits: Limits, ground?: string): Known | undefined;
  /** Takes what a server was heard to offer. */
  keep(definition: ServerDefinition, known: Known, ground?: string): void;
  /** What a start now would know of a server; undefined when that is still to be written, or nothing is kept. */
  kept(definition: ServerDefinition): Kept | undefined;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export interface Kept {
  /** Undefined when nothing is known. */
  readonly listing: Listing | undefined;
  /** Until when it is believed. */
  readonly until: number;
  /** It was heard in this run. */
  readonly heard: boolean;
  /** The stamps of the files that it is in; undefined where there is none. */
  readonly files: ReadonlyMap<string, string | undefined>;
}

export interface CatalogKeeperOptions {
  /** Without it nothing is kept. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  /** Believes nothing of earlier runs. */
  readonly fresh: boolean;
}

interface Entry extends Pick<Kept, 'listing' | 'heard'> {
  readonly heardAt: number | undefined;
  readonly stamp: string | undefined;
}

const nothing: Entry = { listing: undefined, heard: false, heardAt: undefined, stamp: undefined };
/** The stamp of no file. */
const unwritten = 'unwritten';

const saveDelayMs = 500;
/** What has not changed is written again after this time, so that it does not look older than it is. */
const confirmMs = 60 * 60 * 1_000;
/** What no run has confirmed for so long is not believed any more. */
const longestMs = 30 * 24 * 60 * 60 * 1_000;

export function createCatalogKeeper({ stateDir, clock, fresh }: CatalogKeeperOptions): CatalogKeeper {
  if (stateDir === undefined) return { find: () => undefined, keep() {}, kept: () => undefined, close: async () => {} };
  const store = createStore(join(stateDir, 'catalog'));
  const unsaved = new Map<ServerDefinition, Known>();
  /** The ground on which each was last looked for or heard. */
  const grounds = new Map<ServerDefinition, string>();
  let stopTimer: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();
  let pruned = false;
  let folderKey: string | undefined;
  /** What is in the files, by name, as far as they were looked at. */
  const entries = new Map<string, Entry>();

  const nameOf = (definition: ServerDefinition, { create }: { create: boolean }): string | undefined => {
    const ground = grounds.get(definition) ?? '';
    if (!hasValues(definition)) return `${fingerprint(definition)}${ground}`;
    folderKey ??= store.findKey({ create });
    return folderKey === undefined ? undefined : `${fingerprintWithValues(definition, folderKey)}${ground}`;
  };
  const saveOne = async (definition: ServerDefinition, known: Known): Promise<void> => {
    const name = nameOf(definition, { create: true });
    if (name === undefined) return;
    const text = toKnownText(toKnownListing(known));
    const stamp = stampOf(store.fileOf(name));
    const before = store.find(name);
    const since = before === undefined ? undefined : findHeardAt(before);
    const isConfirmed = since !== undefined && since <= known.heardAt && known.heardAt - since < confirmMs;
    const entry = { listing: known.listing, heard: true };
    if (before !== undefined && isConfirmed && saysTheSame(before, text)) {
      entries.set(name, { ...entry, heardAt: since, stamp });
      return;
    }
    // Until it is written there is no file that says so.
    entries.set(name, { ...entry, heardAt: known.heardAt, stamp: unwritten });
    const saved = await store.save(name, text);
    if (!saved) return;
    entries.set(name, { ...entry, heardAt: known.heardAt, stamp: stampOf(store.fileOf(name)) });
    if (pruned) return;
    pruned = true;
    await store.prune(clock.now());
  };
  const saveAll = async (): Promise<void> => {
    for (const [definition, known] of unsaved) {
      unsaved.delete(definition);
      await saveOne(definition, known);
    }
  };
  const save = () => {
    stopTimer?.();
    stopTimer = undefined;
    saving = saving.then(saveAll).catch(() => {});
    return saving;
  };

  return {
    find(definition, limits, ground = '') {
      grounds.set(definition, ground);
      const isWanted = !fresh && !definition.disabled && store.exists();
      const name = isWanted ? nameOf(definition, { create: false }) : undefined;
      if (name === undefined) return undefined;
      const stamp = stampOf(store.fileOf(name));
      const text = store.find(name);
      const found = text === undefined ? undefined : parseKnownText(text, limits);
      const isOld = found !== undefined && clock.now() - found.heardAt > longestMs;
      entries.set(name, { listing: isOld ? undefined : found?.listing, heardAt: found?.heardAt, heard: false, stamp });
      if (found === undefined || isOld) return undefined;
      // A time in the future means that a clock was wrong, so the time is not known.
      return toKnown(found.heardAt > clock.now() ? { ...found, heardAt: 0 } : found);
    },
    keep(definition, known, ground = '') {
      grounds.set(definition, ground);
      unsaved.set(definition, known);
      stopTimer ??= clock.after(saveDelayMs, save);
    },
    kept(definition) {
      if (unsaved.has(definition)) return undefined;
      const name = nameOf(definition, { create: false });
      // Under which name it is kept depends on the key.
      const key = hasValues(definition) ? [[store.keyFile, stampOf(store.keyFile)] as const] : [];
      if (name === undefined)
        return { listing: undefined, until: clock.now() + longestMs, heard: false, files: new Map(key) };
      // Where it was not looked for, not even the folder was there.
      const { listing, heard, heardAt = clock.now(), stamp } = entries.get(name) ?? nothing;
      return { listing, heard, until: heardAt + longestMs, files: new Map([...key, [store.fileOf(name), stamp]]) };
    },
    close: save,
  };
}
