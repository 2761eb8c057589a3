/**
 * Keeps what servers offer between runs, in the folder `catalog` of the state: read when a link is made, written a moment after a
 * server was heard, never on the path of a call, and only when something has changed.
 */
import { join } from 'node:path';
import type { Clock } from '../../base/async/clock.ts';
import { findAbout, findHeardAt, parseKnownText, saysTheSame, toKnownText } from '../../catalog/known-listing.ts';
import { createStore } from '../../catalog/store.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import type { Limits } from '../../config/model/schema-limits.ts';
import { fingerprint, fingerprintWithValues, hasValues } from './fingerprint.ts';
import { type About, type Known, toAbout, toKnown, toKnownListing } from './known.ts';

export interface CatalogCache {
  /** Finds only what was heard on the same basis: the same version of the server, told the same of its client. */
  find(definition: ServerDefinition, limits: Limits, basis?: string): Known | undefined;
  /** What the server said of itself, found in the same way without reading its lists. */
  findAbout(definition: ServerDefinition, basis: string): About | undefined;
  /** Takes what a server was heard to offer. */
  keep(definition: ServerDefinition, known: Known, basis?: string): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

export interface CatalogCacheOptions {
  /** Without it nothing is kept. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  /** Believes nothing of earlier runs. */
  readonly fresh: boolean;
}

const saveDelayMs = 500;
/** What has not changed is written again after this time, so that it does not look older than it is. */
const confirmMs = 60 * 60 * 1_000;
/** What no run has confirmed for so long is not believed any more. */
const maxMs = 30 * 24 * 60 * 60 * 1_000;

export function createCatalogCache({ stateDir, clock, fresh }: CatalogCacheOptions): CatalogCache {
  if (stateDir === undefined)
    return { find: () => undefined, findAbout: () => undefined, keep() {}, close: async () => {} };
  const store = createStore(join(stateDir, 'catalog'));
  const unsaved = new Map<ServerDefinition, Known>();
  /** The basis on which each was last looked for or heard. */
  const bases = new Map<ServerDefinition, string>();
  /** Texts of which only the beginning was needed so far. */
  const begun = new Map<string, string>();
  let stopTimer: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();
  let pruned = false;
  let folderKey: string | undefined;

  const nameOf = (definition: ServerDefinition, { create }: { create: boolean }): string | undefined => {
    const basis = bases.get(definition) ?? '';
    if (!hasValues(definition)) return `${fingerprint(definition)}${basis}`;
    folderKey ??= store.findKey({ create });
    return folderKey === undefined ? undefined : `${fingerprintWithValues(definition, folderKey)}${basis}`;
  };
  const findText = (definition: ServerDefinition, basis: string) => {
    bases.set(definition, basis);
    const isWanted = !fresh && !definition.disabled && store.exists();
    const name = isWanted ? nameOf(definition, { create: false }) : undefined;
    if (name === undefined) return undefined;
    const text = begun.get(name) ?? store.find(name);
    const heardAt = text === undefined ? undefined : findHeardAt(text);
    return text === undefined || heardAt === undefined || clock.now() - heardAt > maxMs ? undefined : { name, text };
  };
  const saveOne = async (definition: ServerDefinition, known: Known): Promise<void> => {
    const name = nameOf(definition, { create: true });
    if (name === undefined) return;
    const text = toKnownText(toKnownListing(known));
    const before = store.find(name);
    const since = before === undefined ? undefined : findHeardAt(before);
    const isConfirmed = since !== undefined && since <= known.heardAt && known.heardAt - since < confirmMs;
    if (before !== undefined && isConfirmed && saysTheSame(before, text)) return;
    const saved = await store.save(name, text);
    if (!saved || pruned) return;
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
    find(definition, limits, basis = '') {
      const kept = findText(definition, basis);
      if (kept === undefined) return undefined;
      begun.delete(kept.name);
      const found = parseKnownText(kept.text, limits);
      if (found === undefined) return undefined;
      // A time in the future means that a clock was wrong, so the time is not known.
      return toKnown(found.heardAt > clock.now() ? { ...found, heardAt: 0 } : found);
    },
    findAbout(definition, basis) {
      const kept = findText(definition, basis);
      const about = kept === undefined ? undefined : findAbout(kept.text);
      if (kept === undefined || about === undefined) return undefined;
      begun.set(kept.name, kept.text);
      return toAbout(about);
    },
    keep(definition, known, basis = '') {
      bases.set(definition, basis);
      unsaved.set(definition, known);
      stopTimer ??= clock.after(saveDelayMs, save);
    },
    close: save,
  };
}
