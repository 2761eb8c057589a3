/** Files that only make a start quicker do not pile up: the newest stay. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { draftEnding } from '../state/write-own.ts';

/** Of those with this ending, and of drafts that somebody died over. Another process may be at the same. */
export function keepNewest(folder: string, ending: string, most: number): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(ending) || name.endsWith(draftEnding))
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { path } of files.sort((a, b) => b.at - a.at).slice(most)) {
    try {
      rmSync(path, { force: true });
    } catch {
      // Somebody else may have, or holds it open.
    }
  }
}
