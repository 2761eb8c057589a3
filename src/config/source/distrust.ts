/**
 * Why a file that says what is run must not be used: a user other than this one and root can change or replace it. The decisions
 * are pure; the platform and the facts about files are arguments.
 */
import { quoteWord } from '../../base/text/quote-word.ts';
import type { Owner } from '../../state/owner.ts';
import { findStranger, type IsPrivate, isForeign, isSticky, type OwnerFacts } from '../../state/strangers.ts';

export interface Distrust {
  /** Whether the file itself is at fault or the folder that it is in. */
  readonly part: 'file' | 'folder';
  readonly path: string;
  /** A phrase that follows the path. */
  readonly why: string;
  /** Another user owns it; otherwise other users may write to it. */
  readonly foreign: boolean;
}

export interface FileFacts {
  readonly path: string;
  /** The facts of the file that was read. */
  readonly facts: OwnerFacts;
  /** The facts of the link, when the path is a link. */
  readonly link?: OwnerFacts | undefined;
  /** The folder of the path, and that of the file when links lead elsewhere. */
  readonly folders: readonly { readonly path: string; readonly facts: OwnerFacts }[];
}

export function findDistrust(file: FileFacts, owner: Owner, isPrivate: IsPrivate): Distrust | undefined {
  const why = findStranger(file.facts, owner, isPrivate);
  if (why !== undefined) return { part: 'file', path: file.path, why, foreign: isForeign(file.facts, owner) };
  if (file.link !== undefined && isForeign(file.link, owner))
    return { part: 'file', path: file.path, why: `is a link of user ${file.link.uid}`, foreign: true };
  for (const { path, facts } of file.folders) {
    const stranger = findStranger(facts, owner, isPrivate);
    const foreign = isForeign(facts, owner);
    // In a sticky folder other users cannot replace our files, and this file is ours.
    if (stranger !== undefined && (foreign || !isSticky(facts)))
      return { part: 'folder', path, why: stranger, foreign };
  }
  return undefined;
}

/** What to do about it, as commands that can be pasted. `shown` is the path as it may be written. */
export function toDistrustFix({ part, foreign }: Distrust, shown: string, uid: number | undefined): string {
  const path = quoteWord(shown, 'linux');
  const own = uid === 0 ? `chown root ${path}` : `sudo chown "$(id -un)" ${path}`;
  const repair = foreign
    ? `Copy ${part === 'file' ? 'it' : 'the file'} to a folder of your own, or make it yours: ${own}`
    : `chmod go-w ${path}`;
  return `${repair} If you know who can write there and trust them, use the file anyway: --trust-config, or WORKBENCH_TRUST_CONFIG=1 in a client.`;
}
