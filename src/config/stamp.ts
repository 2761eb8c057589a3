/** Tells without reading a file whether it is still the one it was. */
import { statSync } from 'node:fs';

/** Undefined when there is none. Another text has another stamp, as finely as the file system tells the time. */
export function stampOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(':');
  } catch {
    return undefined;
  }
}
