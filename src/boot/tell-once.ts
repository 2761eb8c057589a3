/** What was said once need not be said at every start: an empty file in the state folder remembers each saying. */
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { prepareFolder } from '../daemon/own-files.ts';
import { keepNewest } from './keep-newest.ts';

const ending = '.told';
const mostFiles = 200;

/** Whether this is the first time; also where nothing can be remembered. */
export function isFirstTime(stateDir: string | undefined, saying: readonly string[]): boolean {
  if (stateDir === undefined) return true;
  const folder = join(stateDir, 'told');
  const name = createHash('sha256').update(JSON.stringify(saying)).digest('hex').slice(0, 32);
  try {
    if (prepareFolder(folder, { platform: process.platform, uid: process.getuid?.() }) !== undefined) return true;
    closeSync(openSync(join(folder, `${name}${ending}`), 'wx', 0o600));
    keepNewest(folder, ending, mostFiles);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
  }
}
