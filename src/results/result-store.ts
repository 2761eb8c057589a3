/**
 * The results that are held for clients of this run: each for its owner only, within bounds, until it is old. They stay in memory;
 * when there are too many, those that were not read for the longest time go to disk.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/async/clock.ts';
import { type Client, sameClient } from '../base/call/call.ts';
import type { Log } from '../base/text/log.ts';
import { HeldText } from './held-text.ts';
import { createSealedFiles, type SealedFiles } from './sealed-files.ts';

export interface ResultText {
  readonly text: string;
  /** For a person: the tool that the text is from, or the URI of the resource. */
  readonly name: string;
  readonly mimeType: string;
}

export interface Held extends Omit<ResultText, 'text'> {
  readonly held: HeldText;
}

export interface ResultStore {
  /** Keeps a text and returns its handle; undefined when the store is full. */
  hold(client: Client, part: ResultText): { readonly handle: string; readonly held: HeldText } | undefined;
  /** Gives up a text that its client was not told about. */
  drop(handle: string): void;
  /** Undefined for a handle that is unknown, too old, or of another client. */
  find(client: Client, handle: string): Promise<Held | undefined>;
  close(): void;
}

export interface StoreLimits {
  /** How long a result is kept after it was read last. */
  readonly maxAgeMs: number;
  readonly results: number;
  readonly resultsPerClient: number;
  readonly bytesPerClient: number;
  /** Above this, texts go to disk. Twice as much is never exceeded. */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** A result that was read or made this recently does not make room for another. */
  readonly freshMs: number;
}

const mib = 1_024 * 1_024;
/** How long after a failure the disk is tried again. */
const retryMs = 60_000;

export const storeLimits: StoreLimits = {
  maxAgeMs: 60 * 60 * 1_000,
  results: 2_000,
  resultsPerClient: 200,
  bytesPerClient: 256 * mib,
  memoryBytes: 64 * mib,
  diskBytes: 1_024 * mib,
  freshMs: 5 * 60 * 1_000,
};

export interface StoreOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined: nothing is written to disk. */
  readonly stateDir: string | undefined;
  readonly limits?: StoreLimits;
}

interface Entry extends Omit<ResultText, 'text'> {
  readonly handle: string;
  readonly client: Client;
  readonly bytes: number;
  usedAt: number;
  /** Undefined while it is on disk only. */
  held: HeldText | undefined;
  file: string | undefined;
}

export function createResultStore({ clock, log, stateDir, limits = storeLimits }: StoreOptions): ResultStore {
  /** The one that was used longest ago comes first. */
  const entries = new Map<string, Entry>();
  const watched = new WeakSet<Client>();
  const files = stateDir === undefined ? undefined : createSealedFiles(join(stateDir, 'results'), 2 * limits.maxAgeMs);
  /** The disk is not tried again before this time. */
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let memory = 0;
  let total = 0;
  let spilling = false;
  let pruned = false;
  let stopTimer: (() => void) | undefined;

  const remove = (entry: Entry) => {
    if (!entries.delete(entry.handle)) return;
    total -= entry.bytes;
    if (entry.held !== undefined) memory -= entry.bytes;
    entry.held = undefined;
    if (entry.file !== undefined) files?.remove(entry.file);
  };
  const sweep = () => {
    for (const entry of [...entries.values()]) if (clock.now() - entry.usedAt >= limits.maxAgeMs) remove(entry);
    stopTimer?.();
    stopTimer = entries.size === 0 ? undefined : clock.after(limits.maxAgeMs / 2, sweep);
  };
  const touch = (entry: Entry) => {
    entry.usedAt = clock.now();
    entries.delete(entry.handle);
    entries.set(entry.handle, entry);
  };

  /** Removes the oldest of these entries until the condition holds. */
  const makeRoom = (candidates: () => Entry[], isEnough: () => boolean): boolean => {
    while (!isEnough()) {
      const [oldest] = candidates();
      if (oldest === undefined || clock.now() - oldest.usedAt < limits.freshMs) return false;
      remove(oldest);
    }
    return true;
  };
  const ofClient = (client: Client) => [...entries.values()].filter((entry) => sameClient(entry.client, client));
  const bytesOf = (some: readonly Entry[]) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  const canWrite = () => files !== undefined && clock.now() >= blockedUntil;
  const hasRoom = (client: Client, bytes: number): boolean => {
    const own = () => ofClient(client);
    const fitsOwn = () => own().length < limits.resultsPerClient && bytesOf(own()) + bytes <= limits.bytesPerClient;
    const capacity = limits.memoryBytes + (files === undefined ? 0 : limits.diskBytes);
    const fits = () => entries.size < limits.results && total + bytes <= capacity;
    const inMemory = () => [...entries.values()].filter(({ held }) => held !== undefined);
    // Texts go to disk after they were held: while the disk is slow, memory may grow a little.
    const most = canWrite() ? 2 * limits.memoryBytes : limits.memoryBytes;
    return (
      bytes <= limits.bytesPerClient &&
      makeRoom(own, fitsOwn) &&
      makeRoom(() => [...entries.values()], fits) &&
      makeRoom(inMemory, () => memory + bytes <= most)
    );
  };

  const spill = async (to: SealedFiles) => {
    if (!pruned) await to.prune(clock.now());
    pruned = true;
    while (memory > limits.memoryBytes) {
      const entry = [...entries.values()].find(({ held }) => held !== undefined);
      if (entry?.held === undefined) return;
      entry.file ??= await to.write(entry.held.text);
      if (!entries.has(entry.handle)) to.remove(entry.file);
      else if (entry.held !== undefined) {
        entry.held = undefined;
        memory -= entry.bytes;
      }
    }
  };
  const spillLater = () => {
    if (spilling || files === undefined || !canWrite() || memory <= limits.memoryBytes) return;
    spilling = true;
    spill(files)
      .catch((error: unknown) => {
        blockedUntil = clock.now() + retryMs;
        const fault = error instanceof Error ? error.message : String(error);
        log.warn('long results stay in memory, because they cannot be written to disk', { fault });
      })
      .finally(() => {
        spilling = false;
      });
  };

  return {
    hold(client, { text, name, mimeType }) {
      sweep();
      const bytes = text.length * 2;
      if (!hasRoom(client, bytes)) return undefined;
      if (client.session !== undefined && !watched.has(client)) {
        watched.add(client);
        client.session.onClose(() => ofClient(client).forEach(remove));
      }
      const handle = randomBytes(12).toString('hex');
      const held = new HeldText(text);
      entries.set(handle, { handle, client, name, mimeType, bytes, held, file: undefined, usedAt: clock.now() });
      total += bytes;
      memory += bytes;
      spillLater();
      stopTimer ??= clock.after(limits.maxAgeMs / 2, sweep);
      return { handle, held };
    },
    drop(handle) {
      const entry = entries.get(handle);
      if (entry !== undefined) remove(entry);
    },
    async find(client, handle) {
      sweep();
      const entry = entries.get(handle);
      if (entry === undefined || !sameClient(entry.client, client)) return undefined;
      touch(entry);
      const { name, mimeType } = entry;
      if (entry.held !== undefined) return { held: entry.held, name, mimeType };
      const text = entry.file === undefined ? undefined : await files?.read(entry.file);
      if (text === undefined) {
        remove(entry);
        return undefined;
      }
      const held = new HeldText(text);
      if (entries.has(handle) && entry.held === undefined) {
        entry.held = held;
        memory += entry.bytes;
        spillLater();
      }
      return { held, name, mimeType };
    },
    close() {
      stopTimer?.();
      for (const entry of [...entries.values()]) remove(entry);
    },
  };
}
