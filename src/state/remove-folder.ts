/** Removes a folder of our own that this version does not use any more. */
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFolderFault } from './own-folder.ts';
import { currentOwner, type Owner } from './owner.ts';

/** More than any version has left there; a folder with more is emptied by several runs. */
const maxFiles = 200;

/** Only files whose names match are removed. The folder stays while anything else is in it, and where it is not ours. */
export function removeFolder(path: string, names: RegExp, owner: Owner = currentOwner()): void {
  if (findFolderFault(path, owner) !== undefined) return;
  try {
    const files = readdirSync(path).filter((name) => names.test(name));
    for (const name of files.slice(0, maxFiles)) rmSync(join(path, name), { force: true });
    rmdirSync(path);
  } catch {
    // The folder is not empty, or another process was quicker. The next run tries again.
  }
}
