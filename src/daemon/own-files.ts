/** Folders and files that nobody else may have had a hand in: made closed to others, and looked at before each use. */
import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { hasModes } from './place.ts';

export interface Owner {
  readonly platform: NodeJS.Platform;
  readonly uid: number | undefined;
}

type Facts = Pick<Stats, 'isDirectory' | 'isFile' | 'isSymbolicLink' | 'uid' | 'mode'>;

/** What is wrong with it, in words that follow its path; undefined when it can be trusted. `facts` are of the link, not of what it leads to. */
export function findFault(facts: Facts, kind: 'folder' | 'file', { platform, uid }: Owner): string | undefined {
  if (facts.isSymbolicLink()) return 'is a symbolic link';
  if (kind === 'folder' ? !facts.isDirectory() : !facts.isFile()) return `is not a ${kind}`;
  if (!hasModes(platform)) return undefined;
  if (uid !== undefined && facts.uid !== uid) return 'belongs to another user';
  return (facts.mode & 0o077) === 0 ? undefined : 'can be used by others';
}

/** Makes the folder when it is missing. Gives what is wrong with it. */
export function prepareFolder(path: string, owner: Owner): string | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    // Something else may stand there, which is told below; what cannot be made is told here.
    if (codeOf(error) !== 'EEXIST') return `${path} cannot be made (${codeOf(error)})`;
  }
  return checkOwn(path, 'folder', owner);
}

export function checkOwn(path: string, kind: 'folder' | 'file', owner: Owner): string | undefined {
  try {
    const fault = findFault(lstatSync(path), kind, owner);
    return fault === undefined ? undefined : `${path} ${fault}`;
  } catch (error) {
    return `${path} cannot be looked at (${codeOf(error)})`;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
