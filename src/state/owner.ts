/** Whether a file is our own, decided from what the system says about it. Pure, except for who we are. */
import type { Stats } from 'node:fs';

export interface Owner {
  readonly platform: NodeJS.Platform;
  /** Undefined where users have no number. */
  readonly uid: number | undefined;
}

export function currentOwner(): Owner {
  return { platform: process.platform, uid: process.getuid?.() };
}

/** Whether files and folders have an owner and modes that say who may use them. */
export function hasModes(platform: NodeJS.Platform): boolean {
  return platform !== 'win32';
}

type Facts = Pick<Stats, 'isDirectory' | 'isFile' | 'isSymbolicLink' | 'uid' | 'mode'>;

/** Why it cannot be used as our own file, as a phrase that follows its path; undefined when it can. */
export function findFault(facts: Facts, kind: 'folder' | 'file', { platform, uid }: Owner): string | undefined {
  if (facts.isSymbolicLink()) return 'is a symbolic link';
  if (kind === 'folder' ? !facts.isDirectory() : !facts.isFile()) return `is not a ${kind}`;
  if (!hasModes(platform)) return undefined;
  if (uid !== undefined && facts.uid !== uid) return 'belongs to another user';
  return (facts.mode & 0o077) === 0 ? undefined : 'can be used by other users';
}
