/** Reads a file that holds one value, such as a token: `{file:~/token}`. */
import { locate } from './locate.ts';
import type { Reading } from './read-text.ts';

/** No real value is larger. */
const longestValue = 65_536;

/** Without the line break that editors leave at the end; undefined when the file cannot be read. */
export function readValueFile(
  path: string,
  { ground, readFile }: Pick<Reading, 'ground' | 'readFile'>,
): string | undefined {
  try {
    const text = readFile(locate(path, ground)).trim();
    return text.length <= longestValue ? text : undefined;
  } catch {
    return undefined;
  }
}
