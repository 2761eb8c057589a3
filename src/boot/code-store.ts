/**
 * The compiled code of one file of the program, kept between runs: Node takes longer to compile the program than to do anything
 * else at its start. The code is executed, so the file must be the user's own and closed to others. See decision 27.
 */
import { dirname, join } from 'node:path';
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
const maxBytes = 16 * 1_024 * 1_024;
/** Several versions of the program or of Node.js may be in use side by side, with some files each. */
const maxFiles = 30;

export function createCodeStore({ folder, owner, program, engine }: CodeStoreOptions): CodeStore {
  const name = `${engine}-${program.slice(0, 16)}${ending}`;
  const file = join(folder, name);
  const isUnsafe = () => findStateFault(dirname(folder), owner) !== undefined;
  return {
    find() {
      if (isUnsafe() || findFolderFault(folder, owner) !== undefined) return undefined;
      // These very bytes are executed: nothing is opened again after it was found to be ours.
      const kept = findOwn(file, { maxBytes: 2 * maxBytes + program.length, owner });
      return kept === undefined ? undefined : unpack(kept, program);
    },
    save(code) {
      if (code.length > maxBytes || isUnsafe() || prepareFolder(folder, owner) !== undefined) return;
      try {
        replaceOwn(file, pack(code, program));
        keepNewest(folder, ending, maxFiles);
      } catch {
        // The next start compiles again.
      }
    },
  };
}

/**
 * V8 compares no more than the length of the source, and executes damaged code, so the code is stored twice: two copies are compared
 * in a tenth of a millisecond, a checksum in our own code or loading Node's takes 2 ms of every start.
 */
function pack(code: Buffer, program: string): Buffer {
  return Buffer.concat([Buffer.from(program, 'latin1'), code, code]);
}

function unpack(kept: Buffer, program: string): Buffer | undefined {
  const copies = kept.subarray(program.length);
  const code = copies.subarray(0, copies.length / 2);
  const isOurs = kept.toString('latin1', 0, program.length) === program;
  return isOurs && code.length > 0 && code.equals(copies.subarray(code.length)) ? code : undefined;
}
