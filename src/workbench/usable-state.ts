/** Finds the folder for the state. Undefined, with a warning, when other users could have changed it: everything works without it. */
import type { Log } from '../base/text/log.ts';
import { findStateFault } from '../state/state-folder.ts';

export function findUsableState(stateDir: string | undefined, log: Log): string | undefined {
  const fault = stateDir === undefined ? undefined : findStateFault(stateDir);
  if (fault === undefined) return stateDir;
  log.warn('nothing is kept between runs', { fault, code: 'WB1920' });
  return undefined;
}
