/** The folder for the state, or none where others could have had a hand in it: told once, and everything works without. */
import type { Log } from '../base/log.ts';
import { findStateFault } from '../state/state-folder.ts';

export function findUsableState(stateDir: string | undefined, log: Log): string | undefined {
  const fault = stateDir === undefined ? undefined : findStateFault(stateDir);
  if (fault === undefined) return stateDir;
  log.warn('nothing is kept between runs', { fault, code: 'WB1920' });
  return undefined;
}
