/** Whether somebody besides the user and the administrator can change what a path leads to. */
import type { Stats } from 'node:fs';
import { hasModes, type Owner } from './owner.ts';
import { isPrivateGroup, readAccounts } from './private-group.ts';

export type OwnerFacts = Pick<Stats, 'uid' | 'gid' | 'mode'>;

/** Whether a group is nobody but this user. */
export type IsPrivate = (gid: number, uid: number | undefined) => boolean;

export const isPrivateHere: IsPrivate = (gid, uid) => isPrivateGroup(gid, uid, readAccounts());

/** It belongs to neither the user nor root. */
export function isForeign({ uid }: OwnerFacts, owner: Owner): boolean {
  return hasModes(owner.platform) && owner.uid !== undefined && uid !== owner.uid && uid !== 0;
}

export function canOthersWrite({ gid, mode }: OwnerFacts, owner: Owner, isPrivate: IsPrivate): boolean {
  if (!hasModes(owner.platform)) return false;
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isPrivate(gid, owner.uid));
}

/** In such a folder everybody may put something, and nobody may touch what is not his own. */
export function isSticky({ mode }: OwnerFacts): boolean {
  return (mode & 0o1000) !== 0;
}

/** Who else has a hand in it, in words that follow its path; undefined when nobody has. */
export function findStranger(
  facts: OwnerFacts,
  owner: Owner,
  isPrivate: IsPrivate = isPrivateHere,
): string | undefined {
  if (isForeign(facts, owner)) return `belongs to user ${facts.uid}`;
  return canOthersWrite(facts, owner, isPrivate) ? 'can be changed by others' : undefined;
}
