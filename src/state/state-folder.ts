/**
 * Whether a folder can hold our state: the user owns it, and no other user can replace it or a folder above it. Otherwise nothing
 * is kept, and everything works as in a first run.
 */
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { posix, resolve } from 'node:path';
import { codeOf } from '../base/errors/code-of.ts';
import { currentOwner, hasModes, type Owner } from './owner.ts';
import { canOthersWrite, type IsPrivate, isForeign, isPrivateHere, isSticky } from './strangers.ts';

const known = new Map<string, string | undefined>();

/** What is wrong, with the path; undefined when the folder can be used, or does not exist yet. Checked once per process. */
export function findStateFault(dir: string, owner: Owner = currentOwner()): string | undefined {
  const key = `${owner.uid} ${dir}`;
  if (!known.has(key)) known.set(key, lookAtWay(resolve(dir), owner, systemView));
  return known.get(key);
}

export interface FolderView {
  /** Undefined when there is none. */
  lstat(path: string): Pick<Stats, 'uid' | 'gid' | 'mode' | 'isDirectory' | 'isSymbolicLink'> | undefined;
  readlink(path: string): string;
  readonly isPrivate: IsPrivate;
}

const systemView: FolderView = {
  lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
  readlink: (path) => readlinkSync(path),
  isPrivate: isPrivateHere,
};

const maxLinks = 40;

/** From the root down to the folder, through every link on the way. */
export function lookAtWay(dir: string, owner: Owner, view: FolderView): string | undefined {
  if (!hasModes(owner.platform) || owner.uid === undefined) return undefined;
  const rest = split(dir);
  let at = '/';
  let links = 0;
  try {
    for (;;) {
      const facts = view.lstat(at);
      if (facts === undefined) return undefined;
      if (facts.isSymbolicLink()) {
        if (isForeign(facts, owner)) return `${at} is a link of another user`;
        if (++links > maxLinks) return `${at} is a link that leads nowhere`;
        const target = view.readlink(at);
        rest.unshift(...split(target));
        at = posix.isAbsolute(target) ? '/' : posix.dirname(at);
        continue;
      }
      if (!facts.isDirectory()) return `${at} is not a folder`;
      const isLast = rest.length === 0;
      if (isLast ? facts.uid !== owner.uid : isForeign(facts, owner)) return `${at} belongs to another user`;
      if (canOthersWrite(facts, owner, view.isPrivate) && (isLast || !isSticky(facts)))
        return `${at} can be changed by other users`;
      if (isLast) return undefined;
      at = posix.join(at, rest.shift() ?? '');
    }
  } catch (error) {
    return `${at} cannot be examined (${codeOf(error)})`;
  }
}

function split(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
