/**
 * Why a file that says what is run must not be used: somebody besides the user and root can change it, or put another one in its
 * place. Decisions are pure; the platform and what the system says of files are arguments.
 */
import type { Owner } from '../state/owner.ts';
import { findStranger, type IsPrivate, isForeign, isSticky, type OwnerFacts } from '../state/strangers.ts';

export interface Distrust {
  /** Whether it is the file itself or the folder that it is in. */
  readonly part: 'file' | 'folder';
  readonly path: string;
  /** In words that follow the path. */
  readonly why: string;
  /** It belongs to somebody else; else others may write to it. */
  readonly foreign: boolean;
}

export interface FileFacts {
  readonly path: string;
  /** Of the file that was read. */
  readonly facts: OwnerFacts;
  /** When the path is a link: of the link. */
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
    // In a sticky folder nobody can replace what is ours, and this file is.
    if (stranger !== undefined && (foreign || !isSticky(facts)))
      return { part: 'folder', path, why: stranger, foreign };
  }
  return undefined;
}

/** What to do about it, as commands that can be pasted. `shown`: how the path may be written. */
export function toDistrustFix({ part, foreign }: Distrust, shown: string, uid: number | undefined): string {
  const path = `'${shown.replaceAll("'", "'\\''")}'`;
  const own = uid === 0 ? `chown root ${path}` : `sudo chown "$(id -un)" ${path}`;
  const repair = foreign
    ? `Copy ${part === 'file' ? 'it' : 'the file'} to a folder of your own, or make it yours: ${own}`
    : `chmod go-w ${path}`;
  return `${repair} Or, when you know who can write there, use it all the same: --trust-config, or WORKBENCH_TRUST_CONFIG=1 in a client.`;
}
