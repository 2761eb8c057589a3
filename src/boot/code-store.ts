/**
 * The compiled code of the program, kept between runs: compiling the program is the largest part of a start. The file is
 * executed, so it must be the user's own and closed to others. See decision 27.
 */
import { createHash } from 'node:crypto';
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
  /** A failure here only makes the next start slower. */
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
const digestBytes = 32;
const largestBytes = 16 * 1_024 * 1_024;
/** Several versions of the program or of Node.js may be in use at the same time. */
const mostFiles = 6;

export function createCodeStore({ folder, owner, program, engine }: CodeStoreOptions): CodeStore {
  // V8 compares only the length of the source and does not detect damage: it would execute wrong code.
  const digest = (code: Buffer) => createHash('sha256').update(program).update(code).digest();
  const name = `${engine}-${program.slice(0, 16)}${ending}`;
  const file = join(folder, name);
  const isUnsafe = () => findStateFault(dirname(folder), owner) !== undefined;
  return {
    find() {
      if (isUnsafe() || findFolderFault(folder, owner) !== undefined) return undefined;
      // These bytes are executed: the file is not opened again after the check.
      const kept = findOwn(file, { mostBytes: largestBytes + digestBytes, owner });
      const code = kept?.subarray(digestBytes);
      return code !== undefined && digest(code).equals(kept?.subarray(0, digestBytes) ?? code) ? code : undefined;
    },
    save(code) {
      if (code.length > largestBytes || isUnsafe() || prepareFolder(folder, owner) !== undefined) return;
      try {
        replaceOwn(file, Buffer.concat([digest(code), code]));
        keepNewest(folder, ending, mostFiles);
      } catch {
        // The next start compiles again.
      }
    },
  };
}
