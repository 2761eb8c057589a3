/**
 * Tokens between runs: one file for each entry, readable by its owner only, replaced as a whole, and sealed with a key of
 * the system's keychain where there is one. Several processes share it; whoever changes an entry holds its lock.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { findMember, findString, isObject, type JsonObject, parseObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { type LockOptions, withFileLock } from './file-lock.ts';
import type { Keychain } from './keychain.ts';
import { seal, unseal } from './seal.ts';

export interface TokenStore {
  find(key: string): Promise<JsonObject | undefined>;
  save(key: string, entry: JsonObject): Promise<void>;
  remove(key: string): Promise<void>;
  /** Runs the task while no other process runs one under the same name. */
  locked<T>(name: string, options: LockOptions, task: () => Promise<T>): Promise<T>;
}

export interface TokenStoreOptions {
  readonly dir: string;
  readonly keychain: Keychain;
  readonly log: Log;
}

export function createTokenStore({ dir, keychain, log }: TokenStoreOptions): TokenStore {
  const fileOf = (key: string) => join(dir, `${key}.json`);
  return {
    async find(key) {
      const file = fileOf(key);
      const text = readIfThere(file);
      if (text === undefined) return undefined;
      const frame = parseObject(text);
      const sealed = frame === undefined ? undefined : findString(frame, 'sealed');
      if (sealed === undefined) return plainEntry(frame) ?? setAside(file, log);
      const sealKey = await keychain.key({ create: false });
      if (sealKey === undefined) {
        log.warn('a stored sign-in cannot be opened: the keychain it was sealed with is not available', { file });
        return undefined;
      }
      return openSealed(sealed, sealKey, key) ?? setAside(file, log);
    },
    async save(key, entry) {
      // Two processes that both find no key must not both make one.
      const sealKey = await withFileLock(join(dir, 'keychain.lock'), { staleMs: 60_000 }, () =>
        keychain.key({ create: true }),
      );
      const frame =
        sealKey === undefined
          ? { version: 1, entry }
          : { version: 1, sealed: seal(JSON.stringify(entry), sealKey, key) };
      await replaceFile(dir, fileOf(key), JSON.stringify(frame));
    },
    async remove(key) {
      rmSync(fileOf(key), { force: true });
    },
    locked: (name, options, task) => withFileLock(join(dir, `${name}.lock`), options, task),
  };
}

/** For a workbench without a folder for its state: holds until the process ends. */
export function createMemoryStore(): TokenStore {
  const entries = new Map<string, JsonObject>();
  return {
    find: async (key) => entries.get(key),
    save: async (key, entry) => void entries.set(key, entry),
    remove: async (key) => void entries.delete(key),
    locked: (_name, _options, task) => task(),
  };
}

function plainEntry(frame: JsonObject | undefined): JsonObject | undefined {
  const entry = frame === undefined ? undefined : findMember(frame, 'entry');
  return isObject(entry) ? entry : undefined;
}

function openSealed(sealed: string, sealKey: Buffer, key: string): JsonObject | undefined {
  try {
    return parseObject(unseal(sealed, sealKey, key));
  } catch {
    return undefined;
  }
}

/** A damaged file costs a new sign-in, nothing else; it is kept for whoever wants to know why. */
function setAside(file: string, log: Log): undefined {
  const aside = `${file}.damaged`;
  try {
    renameSync(file, aside);
  } catch {
    // Another process did.
  }
  log.warn('a stored sign-in is damaged and was set aside', { file: aside });
  return undefined;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Readers see the old text or the new one, also after a power cut. */
async function replaceFile(dir: string, file: string, text: string): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  for (let tries = 0; ; tries++) {
    try {
      return renameSync(draft, file);
    } catch (error) {
      // Windows does not replace a file while somebody reads it.
      if (tries === 10) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
