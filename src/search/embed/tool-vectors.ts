/**
 * The vectors of all tools: found in the file of earlier runs, else computed in the background, in small requests one after the
 * other, so that neither a start nor a call waits for them.
 */
import type { Clock } from '../../base/async/clock.ts';
import { untilAborted } from '../../base/async/until-aborted.ts';
import type { Log } from '../../base/text/log.ts';
import type { Item } from '../../catalog/item.ts';
import type { SearchedServer } from '../index/segment.ts';
import { createSlices } from '../index/slices.ts';
import { type Embedder, EmbedError } from './embedder.ts';
import { hashText, toMeaningText } from './tool-text.ts';
import { cosineOf, maxVectors, toBytesVector, type VectorFile } from './vector-file.ts';

export interface ToolVectors {
  /** Takes what tools there are now; what is missing is computed later. */
  update(servers: readonly SearchedServer[]): void;
  /** Whether enough tools have a vector to compare a query with. */
  isReady(): boolean;
  /** The cosine of a query with each tool that has a vector; undefined as long as too few have one. */
  compare(query: Float32Array): ((key: string, name: string) => number | undefined) | undefined;
  /** Writes what is not kept yet. */
  close(): Promise<void>;
}

export interface ToolVectorsOptions {
  readonly embedder: Embedder;
  /** Text in front of each text about a tool. */
  readonly prefix: string;
  readonly file: VectorFile;
  readonly clock: Clock;
  readonly log: Log;
}

/** The search that found the tools answers first. */
const startAfterMs = 200;
/** While many vectors are computed, they are written now and then. */
const saveAfterMs = 20_000;
const requestMs = 60_000;
const tooLate = new EmbedError('a request took longer than a minute', { mayPass: true });
const maxTries = 4;
/** A service that refuses more single texts than this refuses something else. */
const maxRefused = 20;
const retryMs = 1_000;
/** After a failure that does not pass by itself, the next update tries again no sooner. */
const restMs = 5 * 60_000;
/** With fewer tools than this share, those without a vector would be at a disadvantage. */
const minShare = 0.9;
/** A service that changes its mind at every request is not followed for ever; the next update goes on. */
const maxRounds = 20;

interface Wanted {
  readonly hash: string;
  readonly text: string;
}

export function createToolVectors({ embedder, prefix, file, clock, log }: ToolVectorsOptions): ToolVectors {
  const vectors = new Map<string, Int8Array>();
  const hashes = new WeakMap<Item, Wanted>();
  /** Texts that the service refused alone. */
  const refused = new Set<string>();
  const stop = new AbortController();
  let dimensions: number | undefined;
  let isRead = false;
  let tools = new Map<string, string>();
  let given: readonly SearchedServer[] = [];
  let working: Promise<void> | undefined;
  let restUntil = 0;
  let unsaved = 0;
  let savedAt = 0;
  let cancelStart: (() => void) | undefined;

  const wantedOf = (item: Item): Wanted => {
    const known = hashes.get(item);
    if (known !== undefined) return known;
    const text = `${prefix}${toMeaningText(item)}`;
    const wanted = { hash: hashText(text), text };
    hashes.set(item, wanted);
    return wanted;
  };

  const readFile = (): void => {
    if (isRead) return;
    isRead = true;
    savedAt = clock.now();
    const kept = file.find();
    if (kept === undefined) return;
    dimensions = kept.dimensions;
    for (const [hash, vector] of kept.vectors) vectors.set(hash, vector);
  };

  const save = async (): Promise<void> => {
    if (unsaved === 0 || dimensions === undefined) return;
    unsaved = 0;
    savedAt = clock.now();
    const used = new Set(tools.values());
    await file.save({ dimensions, vectors: new Map([...vectors].filter(([hash]) => used.has(hash))) });
  };

  const take = (wanted: readonly Wanted[], found: readonly Float32Array[]): void => {
    const width = found[0]?.length ?? 0;
    if (dimensions !== width) {
      // Another model answers under the same name: its vectors cannot be compared with those of before.
      vectors.clear();
      dimensions = width;
    }
    for (const [at, { hash }] of wanted.entries()) vectors.set(hash, toBytesVector(found[at] as Float32Array));
    unsaved += wanted.length;
  };

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve);
      const end = () => {
        cancel();
        resolve();
      };
      stop.signal.addEventListener('abort', end, { once: true });
    });

  /** Halves a request that is refused for its size; a text that is refused alone is left out. */
  const request = async (wanted: readonly Wanted[]): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const limit = new AbortController();
      const cancel = clock.after(requestMs, () => limit.abort(tooLate));
      try {
        const signal = AbortSignal.any([stop.signal, limit.signal]);
        const texts = wanted.map(({ text }) => text);
        return take(wanted, await untilAborted(signal, embedder.embed(texts, signal)));
      } catch (error) {
        if (!(error instanceof EmbedError) || stop.signal.aborted) throw error;
        if (error.tooMuch && wanted.length > 1) {
          const half = Math.ceil(wanted.length / 2);
          await request(wanted.slice(0, half));
          return request(wanted.slice(half));
        }
        if (error.tooMuch && refused.size < maxRefused) return void refused.add(wanted[0]?.hash ?? '');
        if (!error.mayPass || tries === maxTries) throw error;
        await pause(error.afterMs ?? retryMs * 4 ** (tries - 1));
        if (stop.signal.aborted) throw error;
      } finally {
        cancel();
      }
    }
  };

  const findMissing = async (): Promise<Wanted[]> => {
    const slice = createSlices();
    const missing = new Map<string, Wanted>();
    const next = new Map<string, string>();
    for (const server of given)
      for (const item of server.tools) {
        if (next.size >= maxVectors) break;
        const wanted = wantedOf(item);
        next.set(toKey(server.key, item.name), wanted.hash);
        if (!vectors.has(wanted.hash) && !refused.has(wanted.hash)) missing.set(wanted.hash, wanted);
        await slice();
      }
    tools = next;
    return [...missing.values()];
  };

  /** Again when other tools came meanwhile, or when another model dropped the vectors of the one before. */
  const work = async (): Promise<void> => {
    readFile();
    for (let rounds = 0; rounds < maxRounds; rounds++) {
      const asked = given;
      const missing = await findMissing();
      if (missing.length === 0 && asked === given) break;
      for (let at = 0; at < missing.length && asked === given; at += embedder.maxTexts) {
        await request(missing.slice(at, at + embedder.maxTexts));
        if (clock.now() - savedAt > saveAfterMs) await save();
      }
    }
    await save();
  };

  const begin = (): void => {
    if (working !== undefined || stop.signal.aborted || clock.now() < restUntil) return;
    working = work()
      .catch((error: unknown) => {
        restUntil = clock.now() + restMs;
        const problem = error instanceof Error ? error.message : 'unknown';
        if (!stop.signal.aborted) log.warn('embeddings of tools cannot be computed; searches go by words', { problem });
        return save();
      })
      .finally(() => {
        working = undefined;
      });
  };

  const isReady = (): boolean => {
    let known = 0;
    for (const hash of tools.values()) if (vectors.has(hash)) known++;
    return known > 0 && known >= tools.size * minShare;
  };

  return {
    isReady,
    update(servers) {
      given = servers;
      cancelStart ??= clock.after(startAfterMs, () => {
        cancelStart = undefined;
        begin();
      });
    },
    compare(query) {
      if (query.length !== dimensions || !isReady()) return undefined;
      return (key, name) => {
        const vector = vectors.get(tools.get(toKey(key, name)) ?? '');
        return vector === undefined ? undefined : cosineOf(query, vector);
      };
    },
    async close() {
      cancelStart?.();
      stop.abort();
      await working;
      await save();
    },
  };
}

function toKey(key: string, name: string): string {
  return `${key}\0${name}`;
}
