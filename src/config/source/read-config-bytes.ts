/** Reads a file that says what is run, or with which values: a regular file that no other user can change. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { FileFault } from '../../state/file-fault.ts';
import { type NamedFile, readNamed } from '../../state/named-file.ts';
import { currentOwner } from '../../state/owner.ts';
import { findDistrustOf, type Trust } from './disk.ts';
import { type Distrust, toDistrustFix } from './distrust.ts';

/** Far more than a person writes by hand. */
const maxBytes = 16 * 1_024 * 1_024;

/** A file of the configuration that must not be used. */
export class UnusableFile extends WorkbenchError {
  /** A phrase that follows the name of the file. */
  readonly why: string;
  /** What to do, with the path as it may be written. */
  readonly fixOf: (shown: string) => string;

  constructor(code: 'WB1413' | 'WB1414', path: string, why: string, fixOf: (shown: string) => string) {
    super(code, `the configuration file ${path} ${why}`, { fix: fixOf(path) });
    this.why = why;
    this.fixOf = fixOf;
  }
}

/** Throws an UnusableFile, or the error of Node when the file cannot be read. */
export function readConfigBytes(path: string, trust: Trust): Buffer {
  const { bytes, facts } = read(path);
  const distrust = findDistrustOf(path, trust, facts);
  if (distrust !== undefined) throw toDistrusted(path, distrust);
  return bytes;
}

function read(path: string): NamedFile {
  try {
    return readNamed(path, maxBytes);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new UnusableFile('WB1414', path, error.fault, () => 'Name the file itself.');
  }
}

function toDistrusted(path: string, distrust: Distrust): UnusableFile {
  const { part, why } = distrust;
  const said = part === 'file' ? why : `is in a folder that ${why}`;
  return new UnusableFile('WB1413', path, `${said}: other users could decide what is run in your name`, (shown) =>
    toDistrustFix(distrust, shown === path ? distrust.path : shown, currentOwner().uid),
  );
}
