/** The files of a configuration as they are on this disk: what is there, and whose it is. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { currentOwner } from '../state/owner.ts';
import { findStranger, isPrivateHere, type OwnerFacts } from '../state/strangers.ts';
import { type Distrust, findDistrust } from './distrust.ts';
import { findConfigFile, type SearchOptions } from './paths.ts';

export interface Trust {
  /** `--trust-config`: uses what others can change. */
  readonly trust?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A client that starts us has an easier time with a variable than with a flag. */
export function isTrusting({ trust, env }: Trust): boolean {
  return trust === true || ['1', 'true'].includes(env.WORKBENCH_TRUST_CONFIG ?? '');
}

/** Whether nobody but the user and root can change a file or folder; to whoever trusts, it is always so. */
export function toIsOurs(trust: Trust): (path: string) => boolean {
  const trusting = isTrusting(trust);
  return (path) => trusting || isOurs(path);
}

/** The path of the configuration for who starts the program here. */
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

/** Why a file must not be used that says what is run. `facts` are of what was read, when it was. */
export function findDistrustOf(path: string, trust: Trust, facts: OwnerFacts = statSync(path)): Distrust | undefined {
  if (isTrusting(trust)) return undefined;
  const link = lstatSync(path, { throwIfNoEntry: false });
  const places = [...new Set([dirname(path), dirname(realpathSync(path))])];
  const folders = places.map((folder) => ({ path: folder, facts: statSync(folder) }));
  const file = { path, facts, link: link?.isSymbolicLink() ? link : undefined, folders };
  return findDistrust(file, currentOwner(), isPrivateHere);
}
