/**
 * The compiled code of one file of the program, kept between runs: Node takes longer to compile the program than to do anything
 * else at its start. The code is executed, so the file must be the user's own and closed to others. See decision 27.
 */
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { findOwn } from '../state/open-own.ts';
import { findFolderFault, prepareFolder } from '../state/own-folder.ts';
import type { Owner } from '../state/owner.ts';
import { findStateFault } from '../state/state-folder.ts';
import { replaceOwn } from '../state/write-own.ts';
import { keepNewest } from './keep-newest.ts';

export interface CodeStore {
  /** Undefined when there is no usable code. */
  find(): Buffer | undefined;
  /** A failure costs the next start some time, and nothing else. */
  save(code: Buffer): void;
}

export interface CodeStoreOptions {
  readonly folder: string;
  readonly owner: Owner;
  /** A hash of the compiled source. */
  readonly program: string;
  /** Everything else that compiled code depends on, Node.js and the processor, as a part of a file name. */
  readonly engine: string;
}

const ending = '.code';
const checkBytes = 4;
const maxBytes = 16 * 1_024 * 1_024;
/** Several versions of the program or of Node.js may be in use side by side, with some files each. */
const maxFiles = 30;

export function createCodeStore({ folder, owner, program, engine }: CodeStoreOptions): CodeStore {
  // V8 compares no more than the length of the source, and executes damaged code.
  const toCheck = (code: Buffer) => {
    const check = Buffer.alloc(checkBytes);
    check.writeUInt32LE(crc32(code, crc32(program)));
    return check;
  };
  const name = `${engine}-${program.slice(0, 16)}${ending}`;
  const file = join(folder, name);
  const isUnsafe = () => findStateFault(dirname(folder), owner) !== undefined;
  return {
    find() {
      if (isUnsafe() || findFolderFault(folder, owner) !== undefined) return undefined;
      // These very bytes are executed: nothing is opened again after it was found to be ours.
      const kept = findOwn(file, { maxBytes: maxBytes + checkBytes, owner });
      const code = kept?.subarray(checkBytes);
      if (kept === undefined || code === undefined || code.length === 0) return undefined;
      return toCheck(code).equals(kept.subarray(0, checkBytes)) ? code : undefined;
    },
    save(code) {
      if (code.length > maxBytes || isUnsafe() || prepareFolder(folder, owner) !== undefined) return;
      try {
        replaceOwn(file, Buffer.concat([toCheck(code), code]));
        keepNewest(folder, ending, maxFiles);
      } catch {
        // The next start compiles again.
      }
    },
  };
}
