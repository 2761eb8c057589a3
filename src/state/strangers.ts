/** Whether a user other than this one and the administrator can change what a path leads to. */
import type { Stats } from 'node:fs';
import { hasModes, type Owner } from './owner.ts';
import { isPrivateGroup, readAccounts } from './private-group.ts';

export type OwnerFacts = Pick<Stats, 'uid' | 'gid' | 'mode'>;

/** Whether a group has this user as its only member. */
export type IsPrivate = (gid: number, uid: number | undefined) => boolean;

export const isPrivateHere: IsPrivate = (gid, uid) => isPrivateGroup(gid, uid, readAccounts());

/** Neither the user nor root owns it. */
export function isForeign({ uid }: OwnerFacts, owner: Owner): boolean {
  return hasModes(owner.platform) && owner.uid !== undefined && uid !== owner.uid && uid !== 0;
}

export function canOthersWrite({ gid, mode }: OwnerFacts, owner: Owner, isPrivate: IsPrivate): boolean {
  if (!hasModes(owner.platform)) return false;
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isPrivate(gid, owner.uid));
}

/** In such a folder everyone may create files, but change only their own. */
export function isSticky({ mode }: OwnerFacts): boolean {
  return (mode & 0o1000) !== 0;
}

/** How another user can change it, as a phrase that follows its path; undefined when none can. */
export function findStranger(
  facts: OwnerFacts,
  owner: Owner,
  isPrivate: IsPrivate = isPrivateHere,
): string | undefined {
  if (isForeign(facts, owner)) return `belongs to user ${facts.uid}`;
  return canOthersWrite(facts, owner, isPrivate) ? 'can be changed by other users' : undefined;
}
