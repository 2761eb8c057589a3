/** Folders of our own: made closed to others, and looked at before they are used. */
import { lstatSync, mkdirSync } from 'node:fs';
import { codeOf } from '../base/code-of.ts';
import { currentOwner, findFault, type Owner } from './owner.ts';

/** Closed to others, with those above it that are missing. Throws when it cannot be made. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Makes the folder when it is missing. Gives what is wrong with it. */
export function prepareFolder(path: string, owner: Owner = currentOwner()): string | undefined {
  try {
    makeFolder(path);
  } catch (error) {
    // Something else may stand there, which is told below; what cannot be made is told here.
    if (codeOf(error) !== 'EEXIST') return `${path} cannot be made (${codeOf(error)})`;
  }
  return findFolderFault(path, owner);
}

export function findFolderFault(path: string, owner: Owner = currentOwner()): string | undefined {
  try {
    const fault = findFault(lstatSync(path), 'folder', owner);
    return fault === undefined ? undefined : `${path} ${fault}`;
  } catch (error) {
    return `${path} cannot be looked at (${codeOf(error)})`;
  }
}
