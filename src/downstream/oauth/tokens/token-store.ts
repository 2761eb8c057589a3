/**
 * Tokens between runs: one file for each entry, readable by its owner only, replaced as a whole, and sealed with a key of
 * the system's keychain where there is one. Several processes share it; a process that changes an entry holds its lock.
 */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { findMember, findString, isObject, type JsonObject, parseObject } from '../../../base/json/json.ts';
import type { Log } from '../../../base/text/log.ts';
import { FileFault } from '../../../state/file-fault.ts';
import { type LockOptions, withLock } from '../../../state/lock.ts';
import { readOwn } from '../../../state/open-own.ts';
import { prepareFolder } from '../../../state/own-folder.ts';
import { replaceOwnLater } from '../../../state/write-own.ts';
import { createKeychain, type Keychain } from './keychain.ts';
import { seal, unseal } from './seal.ts';

export interface TokenStore {
  find(key: string): Promise<JsonObject | undefined>;
  save(key: string, entry: JsonObject): Promise<void>;
  remove(key: string): Promise<void>;
  /** Runs the task while no other process runs one under the same name. */
  locked<T>(name: string, options: LockOptions, task: () => Promise<T>): Promise<T>;
}

const maxBytes = 1_024 * 1_024;

export interface TokenStoreOptions {
  readonly dir: string;
  readonly keychain: Keychain;
  readonly log: Log;
}

/** The store of a state folder; without one, a store in memory. */
export function openStore(stateDir: string | undefined, log: Log): TokenStore {
  if (stateDir === undefined) return createMemoryStore();
  return createTokenStore({ dir: join(stateDir, 'oauth'), keychain: createKeychain(), log });
}

export function createTokenStore({ dir, keychain, log }: TokenStoreOptions): TokenStore {
  const fileOf = (key: string) => join(dir, `${key}.json`);
  return {
    async find(key) {
      const file = fileOf(key);
      const text = findText(file, log);
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
      const sealKey = await withLock(join(dir, 'keychain.lock'), { staleMs: 60_000 }, () =>
        keychain.key({ create: true }),
      );
      const frame =
        sealKey === undefined
          ? { version: 1, entry }
          : { version: 1, sealed: seal(JSON.stringify(entry), sealKey, key) };
      const fault = prepareFolder(dir);
      if (fault !== undefined) throw new WorkbenchError('WB1920', `A sign-in cannot be kept: ${fault}.`);
      await replaceOwnLater(fileOf(key), JSON.stringify(frame));
    },
    async remove(key) {
      rmSync(fileOf(key), { force: true });
    },
    locked: (name, options, task) => withLock(join(dir, `${name}.lock`), options, task),
  };
}

/** For a workbench without a state folder: a sign-in lasts until the process ends. */
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

/** A damaged file costs a new sign-in and nothing else; it is kept so that a person can find out why. */
function setAside(file: string, log: Log): undefined {
  const aside = `${file}.damaged`;
  try {
    renameSync(file, aside);
  } catch {
    // Another process moved it.
  }
  log.warn('a stored sign-in is damaged and was set aside', { file: aside });
  return undefined;
}

/** The tokens of another user would send the requests to an account that is not this user's. */
function findText(file: string, log: Log): string | undefined {
  try {
    return readOwn(file, { maxBytes }).toString('utf8');
  } catch (error) {
    if (error instanceof FileFault)
      log.warn('a stored sign-in is not used', { file, fault: error.fault, code: 'WB1920' });
    return undefined;
  }
}
