/**
 * Loads the optional package for the system's keychain, only from where it is installed with us. Node would search
 * `node_modules` of every folder above, and a program that can write to one of them would get the key of all tokens.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { findOwnPackage } from '../../../state/own-package.ts';

/** The part of `@napi-rs/keyring` that is used. */
export interface Keyring {
  readonly AsyncEntry: new (service: string, account: string, options?: object) => KeyringEntry;
}

export interface KeyringEntry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(password: string): Promise<void>;
}

export function loadKeyring(ownFolder: string = import.meta.dirname): Keyring | undefined {
  const found = placesOf(findOwnPackage(ownFolder)).find(isWhole);
  return found === undefined ? undefined : (createRequire(join(found, 'package.json'))(found) as Keyring);
}

/** Inside our package, or beside it: how package managers install what a package wants. */
function placesOf(root: string): string[] {
  const beside = dirname(root);
  const folders = [join(root, 'node_modules'), ...(basename(beside) === 'node_modules' ? [beside] : [])];
  return folders.map((folder) => join(folder, '@napi-rs', 'keyring'));
}

/** The part for a system is a package beside it; without one it would be looked for further up. */
function isWhole(folder: string): boolean {
  try {
    return readdirSync(dirname(realpathSync(folder))).some((name) => name.startsWith('keyring-'));
  } catch {
    return false;
  }
}
