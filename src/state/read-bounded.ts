/** Reads an open file from its beginning to its end, and no more than may be there: its size need not be what it says. */
import { fstatSync, readSync } from 'node:fs';

/** Undefined when there is more. */
export function readBounded(descriptor: number, mostBytes: number): Buffer | undefined {
  const { size } = fstatSync(descriptor);
  if (size > mostBytes) return undefined;
  // One byte of room tells the end from a file that goes on.
  let bytes = Buffer.allocUnsafe(Math.max(size, 4_096) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, length);
    length += read;
    if (length > mostBytes) return undefined;
    if (read === 0) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
  }
}
