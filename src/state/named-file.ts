/**
 * Files that a person or a configuration names: links may lead to them, but they must be regular files of a sensible size.
 * Reading a pipe or a device could block, or never end.
 */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { FileFault } from './file-fault.ts';
import { readBounded } from './read-bounded.ts';

// Windows does not have these flags.
const { O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as Partial<typeof constants>;

export interface NamedFile {
  readonly bytes: Buffer;
  /** The facts of the file that was read. */
  readonly facts: Stats;
}

/** Throws a FileFault when the path is not a regular file or too large, and the error of Node when it cannot be read. */
export function readNamed(path: string, maxBytes: number): NamedFile {
  const descriptor = openSync(path, constants.O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    const facts = fstatSync(descriptor);
    // Reading a folder fails with an error that says so.
    if (!facts.isFile() && !facts.isDirectory()) throw new FileFault(path, 'is a pipe or a device, not a regular file');
    const bytes = readBounded(descriptor, maxBytes);
    if (bytes === undefined) throw new FileFault(path, `is larger than ${maxBytes} bytes`);
    return { bytes, facts };
  } finally {
    closeSync(descriptor);
  }
}
