/** The files of a configuration on this disk: which exist, and who owns them. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { currentOwner } from '../../state/owner.ts';
import { findStranger, isPrivateHere, type OwnerFacts } from '../../state/strangers.ts';
import { type Distrust, findDistrust } from './distrust.ts';
import { findConfigFile, type SearchOptions } from './paths.ts';

export interface Trust {
  /** `--trust-config`: also uses files that other users can change. */
  readonly trust?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** In the entry of a client a variable is easier to set than a flag. */
export function isTrusting({ trust, env }: Trust): boolean {
  return trust === true || ['1', 'true'].includes(env.WORKBENCH_TRUST_CONFIG ?? '');
}

/** Whether only the user and root can change a file or folder; always true with `--trust-config`. */
export function toIsOurs(trust: Trust): (path: string) => boolean {
  const trusting = isTrusting(trust);
  return (path) => trusting || isOurs(path);
}

/** The path of the configuration for a program that is started here. */
export function findConfigHere(options: Omit<SearchOptions, 'isOurs'> & Pick<Trust, 'trust'>): string | undefined {
  return findConfigFile({ ...options, isOurs: toIsOurs(options) });
}

function isOurs(path: string): boolean {
  try {
    return findStranger(statSync(path), currentOwner()) === undefined;
  } catch {
    return false;
  }
}

/** Why a file that says what is run must not be used. `facts` describe the file that was read, if it was read. */
export function findDistrustOf(path: string, trust: Trust, facts: OwnerFacts = statSync(path)): Distrust | undefined {
  if (isTrusting(trust)) return undefined;
  const link = lstatSync(path, { throwIfNoEntry: false });
  const places = [...new Set([dirname(path), dirname(realpathSync(path))])];
  const folders = places.map((folder) => ({ path: folder, facts: statSync(folder) }));
  const file = { path, facts, link: link?.isSymbolicLink() ? link : undefined, folders };
  return findDistrust(file, currentOwner(), isPrivateHere);
}
