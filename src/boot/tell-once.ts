/** Shows a message only once: an empty file in the state folder remembers each message that was shown. */
import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../base/errors/code-of.ts';
import { openNew } from '../state/open-own.ts';
import { prepareFolder } from '../state/own-folder.ts';
import { keepNewest } from './keep-newest.ts';

const ending = '.told';
const maxFiles = 200;

/** Whether this is the first time; also true where nothing can be remembered. */
export function isFirstTime(stateDir: string | undefined, saying: readonly string[]): boolean {
  if (stateDir === undefined) return true;
  const folder = join(stateDir, 'told');
  const name = createHash('sha256').update(JSON.stringify(saying)).digest('hex').slice(0, 32);
  try {
    if (prepareFolder(folder) !== undefined) return true;
    closeSync(openNew(join(folder, `${name}${ending}`)));
    keepNewest(folder, ending, maxFiles);
    return true;
  } catch (error) {
    return codeOf(error) !== 'EEXIST';
  }
}
