/**
 * Files of another user, for tests that run as root: only root can give files away. Where the tests run as somebody else, those
 * tests are skipped, and say why.
 */
import { chownSync } from 'node:fs';

/** `nobody` on most systems; whoever it is, it is not us. */
export const otherUser = 65_534;

export const canBeTwoUsers = process.platform !== 'win32' && process.getuid?.() === 0;

if (!canBeTwoUsers)
  process.stderr.write('skipped: tests with files of two users; only root can make files of another user\n');

export function giveAway(...paths: string[]): void {
  for (const path of paths) chownSync(path, otherUser, otherUser);
}
