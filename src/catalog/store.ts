/**
 * Texts that are kept between runs, one file each, readable by their owner only and replaced as a whole. Several processes share
 * the folder. A failure here costs only the time that the store would have saved: the folder may be deleted at any time.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findOwn } from '../state/open-own.ts';
import { prepareFolder } from '../state/own-folder.ts';
import { createOwn, draftEnding, replaceOwnLater } from '../state/write-own.ts';

export interface Store {
  /** False as long as there is nothing to find: the folder does not even exist. */
  exists(): boolean;
  /** Undefined when there is none, or none that can be trusted. */
  find(name: string): string | undefined;
  /** Resolves to whether the text could be written. */
  save(name: string, text: string): Promise<boolean>;
  /** Removes files that are too old or too many. */
  prune(now: number): Promise<void>;
  /** The secret of this folder, made on first use. */
  findKey(options: { readonly create: boolean }): string | undefined;
}

const ending = '.jsonl';
const keyForm = /^[0-9a-f]{64}$/;

const largestBytes = 16 * 1_024 * 1_024;
const maxBytes = 64 * 1_024 * 1_024;
const maxMs = 30 * 24 * 60 * 60 * 1_000;
/** An older draft was left behind. */
const maxDraftMs = 60 * 60 * 1_000;

export function createStore(dir: string): Store {
  const fileOf = (name: string) => join(dir, `${name}${ending}`);
  const keyFile = join(dir, 'key');
  let seen = false;
  return {
    exists() {
      seen ||= existsSync(dir);
      return seen;
    },
    find: (name) => readSmall(fileOf(name)),
    async save(name, text) {
      if (Buffer.byteLength(text) > largestBytes) return false;
      if (prepareFolder(dir) !== undefined) return false;
      try {
        await replaceOwnLater(fileOf(name), text, { durable: false });
        return true;
      } catch {
        return false;
      }
    },
    async prune(now) {
      const names = await readdir(dir).catch(() => []);
      const files = (await Promise.all(names.map((name) => look(join(dir, name))))).filter(
        (file) => file !== undefined,
      );
      await Promise.all(planPrune(files, now).map((path) => rm(path, { force: true }).catch(() => {})));
    },
    findKey({ create }) {
      const known = readSmall(keyFile);
      if (known !== undefined && keyForm.test(known)) return known;
      if (!create || prepareFolder(dir) !== undefined) return undefined;
      try {
        const made = randomBytes(32).toString('hex');
        rmSync(keyFile, { force: true });
        return createOwn(keyFile, made) ? made : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was written. */
  readonly at: number;
}

/** Which files to remove: old ones, abandoned drafts, and the oldest ones above the limit. */
export function planPrune(files: readonly StoredFile[], now: number): string[] {
  const isOld = ({ path, at }: StoredFile) => now - at > (path.endsWith(draftEnding) ? maxDraftMs : maxMs);
  const kept = files.filter(({ path }) => path.endsWith(ending) || path.endsWith(draftEnding));
  const old = kept.filter(isOld);
  let bytes = 0;
  const newestFirst = kept.filter((file) => !isOld(file)).sort((a, b) => b.at - a.at);
  const tooMuch = newestFirst.filter((file) => {
    bytes += file.bytes;
    return bytes > maxBytes;
  });
  return [...old, ...tooMuch].map(({ path }) => path);
}

async function look(path: string): Promise<StoredFile | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true ? { path, bytes: found.size, at: found.mtimeMs } : undefined;
}

function readSmall(path: string): string | undefined {
  return findOwn(path, { maxBytes: largestBytes })?.toString('utf8');
}
