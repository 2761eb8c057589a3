/**
 * Files that a person or a configuration names: they may be reached through links, but must be files, of a size that makes sense.
 * A pipe or a device would keep us waiting, or never end.
 */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { FileFault } from './file-fault.ts';
import { readBounded } from './read-bounded.ts';

// Windows has neither.
const { O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as Partial<typeof constants>;

export interface NamedFile {
  readonly bytes: Buffer;
  /** Of the very file that was read. */
  readonly facts: Stats;
}

/** Throws a FileFault for what is no file or too large, and what Node throws when it cannot be read. */
export function readNamed(path: string, mostBytes: number): NamedFile {
  const descriptor = openSync(path, constants.O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    const facts = fstatSync(descriptor);
    // Reading says of a folder that it is one.
    if (!facts.isFile() && !facts.isDirectory()) throw new FileFault(path, 'is a pipe or a device, not a file');
    const bytes = readBounded(descriptor, mostBytes);
    if (bytes === undefined) throw new FileFault(path, `is larger than ${mostBytes} bytes`);
    return { bytes, facts };
  } finally {
    closeSync(descriptor);
  }
}
