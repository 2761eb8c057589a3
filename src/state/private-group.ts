/**
 * Many systems give each user a group of the same number and let that group write (umask 002). Such a group has no other members,
 * so its rights are not a reason to distrust a file.
 */
import { readFileSync } from 'node:fs';

/** The texts of /etc/passwd and /etc/group. */
export interface Accounts {
  readonly passwd: string;
  readonly group: string;
}

/** Whether the group is the system's own, or has only this user as a member. */
export function isPrivateGroup(gid: number, uid: number | undefined, { passwd, group }: Accounts): boolean {
  if (gid === 0) return true;
  const users = toRows(passwd);
  const me = users.find((row) => row[2] === String(uid));
  const entry = toRows(group).find((row) => row[2] === String(gid));
  // Groups of a directory service are not in the file: there only the convention of equal numbers tells.
  if (entry === undefined) return gid === uid;
  const members = (entry[3] ?? '').split(',').filter((name) => name !== '' && name !== me?.[0]);
  const others = users.filter((row) => row[3] === String(gid) && row[2] !== String(uid));
  return members.length === 0 && others.length === 0 && (gid === uid || me?.[3] === String(gid));
}

let known: Accounts | undefined;

/** Cached per process: several files are checked at each start. */
export function readAccounts(): Accounts {
  known ??= { passwd: readIfThere('/etc/passwd'), group: readIfThere('/etc/group') };
  return known;
}

function toRows(text: string): string[][] {
  return text.split('\n').map((line) => line.split(':'));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
