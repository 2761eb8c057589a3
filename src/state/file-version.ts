/** Tells whether a file has changed, without reading it. */
import { statSync } from 'node:fs';

/** Undefined when there is no file. Another content has another version, within the precision of the file system's clock. */
export function fileVersion(path: string): string | undefined {
  try {
    // Most missing files simply do not exist; an exception for each would cost far more than the check.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':');
  } catch {
    return undefined;
  }
}
