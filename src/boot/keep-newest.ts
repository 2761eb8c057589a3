/** Removes old files that only make a start quicker: the newest ones stay. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { draftEnding } from '../state/write-own.ts';

/** Considers files with this ending, and abandoned drafts. Another process may do the same at the same time. */
export function keepNewest(folder: string, ending: string, most: number): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(ending) || name.endsWith(draftEnding))
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { path } of files.sort((a, b) => b.at - a.at).slice(most)) {
    try {
      rmSync(path, { force: true });
    } catch {
      // Another process may have removed the file, or holds it open.
    }
  }
}
