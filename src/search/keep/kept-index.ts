/**
 * Indexes that are kept between runs, one file for each set of servers, in the folder `search` of the state. A failure here costs
 * only the time that the file would have saved: the folder may be deleted at any time.
 */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findOwn } from '../../state/open-own.ts';
import { prepareFolder } from '../../state/own-folder.ts';
import { replaceOwnLater } from '../../state/write-own.ts';
import { type FoundIndex, parseIndexBytes, toIndexBytes } from './index-bytes.ts';

export interface KeptIndexes {
  find(quickKey: string): FoundIndex | undefined;
  save(quickKey: string, found: FoundIndex): Promise<void>;
}

const maxBytes = 32 * 1_024 * 1_024;
const maxFiles = 8;
const ending = '.index';

export function createKeptIndexes(stateDir: string | undefined): KeptIndexes {
  if (stateDir === undefined) return { find: () => undefined, save: async () => {} };
  const folder = join(stateDir, 'search');
  const fileOf = (quickKey: string) => join(folder, `${quickKey}${ending}`);
  return {
    find(quickKey) {
      const bytes = findOwn(fileOf(quickKey), { maxBytes });
      return bytes === undefined ? undefined : parseIndexBytes(bytes);
    },
    async save(quickKey, { index, fullKey }) {
      const bytes = toIndexBytes(index, fullKey);
      if (bytes.length > maxBytes || prepareFolder(folder) !== undefined) return;
      await replaceOwnLater(fileOf(quickKey), bytes, { durable: false }).catch(() => {});
      prune(folder);
    },
  };
}

/** Leaves the newest files. */
function prune(folder: string): void {
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    if (files.length <= maxFiles) return;
    const dated = files.map((path) => ({ path, at: lstatSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
    for (const { path } of dated.slice(maxFiles)) rmSync(path, { force: true });
  } catch {
    // Another process removed a file meanwhile; the next save looks again.
  }
}
