/** Folders of the state: created closed to others, and checked before they are used. */
import { lstatSync, mkdirSync } from 'node:fs';
import { codeOf } from '../base/errors/code-of.ts';
import { currentOwner, findFault, type Owner } from './owner.ts';

/** Creates a folder closed to others, with its missing parents. Throws when it cannot be created. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Creates the folder when it is missing. Returns what is wrong with it. */
export function prepareFolder(path: string, owner: Owner = currentOwner()): string | undefined {
  try {
    makeFolder(path);
  } catch (error) {
    // Something else may exist at this path, which is reported below; a folder that cannot be created is reported here.
    if (codeOf(error) !== 'EEXIST') return `${path} cannot be created (${codeOf(error)})`;
  }
  return findFolderFault(path, owner);
}

export function findFolderFault(path: string, owner: Owner = currentOwner()): string | undefined {
  try {
    const fault = findFault(lstatSync(path), 'folder', owner);
    return fault === undefined ? undefined : `${path} ${fault}`;
  } catch (error) {
    return `${path} cannot be examined (${codeOf(error)})`;
  }
}
