/** Reads an open file from its beginning to its end, up to a bound: its size need not be what the system says. */
import { fstatSync, readSync } from 'node:fs';

/** Undefined when the file is larger. */
export function readBounded(descriptor: number, maxBytes: number): Buffer | undefined {
  const { size } = fstatSync(descriptor);
  if (size > maxBytes) return undefined;
  // One extra byte tells the end of the file from a file that goes on.
  let bytes = Buffer.allocUnsafe(Math.max(size, 4_096) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, length);
    length += read;
    if (length > maxBytes) return undefined;
    if (read === 0) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
  }
}
