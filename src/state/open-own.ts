/**
 * The one way to open files of the state: without following a link, checked through the descriptor, and used through the same
 * descriptor. So the file that was found to be the user's own and closed to others is the file that is read or written, even if
 * the path changes meanwhile.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { codeOf } from '../base/errors/code-of.ts';
import { FileFault } from './file-fault.ts';
import { currentOwner, findFault, type Owner } from './owner.ts';
import { readBounded } from './read-bounded.ts';

// Windows does not have these three flags.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as Partial<typeof constants>;
const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;

export interface ReadOptions {
  readonly maxBytes: number;
  readonly owner?: Owner;
}

/** Throws a FileFault when the file must not be used, and the error of Node when it cannot be opened. */
export function readOwn(path: string, { maxBytes, owner = currentOwner() }: ReadOptions): Buffer {
  const descriptor = open(path, O_RDONLY, owner);
  try {
    const bytes = readBounded(descriptor, maxBytes);
    if (bytes === undefined) throw new FileFault(path, `is larger than ${maxBytes} bytes`);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined when there is no usable file, for any reason. */
export function findOwn(path: string, options: ReadOptions): Buffer | undefined {
  try {
    return readOwn(path, options);
  } catch {
    return undefined;
  }
}

/** A descriptor that appends to the file, which is created when it is missing. Throws like `readOwn`. */
export function openOwnToAppend(path: string, owner: Owner = currentOwner()): number {
  return open(path, O_WRONLY | O_APPEND | O_CREAT, owner);
}

/** A descriptor of a new file: neither a file nor a link of its name existed before. */
export function openNew(path: string): number {
  return openSync(path, newFile, 0o600);
}

export const newFile = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;

function open(path: string, flags: number, owner: Owner): number {
  if (O_NOFOLLOW === 0) refuseLink(path);
  let descriptor: number;
  try {
    // Something other than a file at this path must not block us.
    descriptor = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600);
  } catch (error) {
    // The BSDs answer EMLINK.
    throw ['ELOOP', 'EMLINK'].includes(codeOf(error)) ? new FileFault(path, 'is a symbolic link') : error;
  }
  const fault = findFault(fstatSync(descriptor), 'file', owner);
  if (fault === undefined) return descriptor;
  closeSync(descriptor);
  throw new FileFault(path, fault);
}

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new FileFault(path, 'is a symbolic link');
}
