/** Tells without reading a file whether it is still the one it was. */
import { statSync } from 'node:fs';

/** Undefined when there is none. Another text has another stamp, as finely as the file system tells the time. */
export function stampOf(path: string): string | undefined {
  try {
    // Most files that are looked for in vain are simply not there; an error for each would cost far more than the look.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':');
  } catch {
    return undefined;
  }
}
