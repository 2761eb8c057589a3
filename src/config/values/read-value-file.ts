/** Reads a file that holds one value, such as a token: `{file:~/token}`. */

import type { Reading } from '../read/read-text.ts';
import { resolvePath } from '../source/resolve-path.ts';

/** No real value is larger. */
const maxValueLength = 65_536;

/** Without the line break that editors leave at the end; undefined when the file cannot be read. */
export function readValueFile(
  path: string,
  { ground, readFile }: Pick<Reading, 'ground' | 'readFile'>,
): string | undefined {
  try {
    const text = readFile(resolvePath(path, ground)).trim();
    return text.length <= maxValueLength ? text : undefined;
  } catch {
    return undefined;
  }
}
