/** The secret that the daemon and its clients share: made once, stored in a file that only its owner can read, never sent. */
import { randomBytes } from 'node:crypto';
import { codeOf } from '../base/errors/code-of.ts';
import { FileFault } from '../state/file-fault.ts';
import { readOwn } from '../state/open-own.ts';
import type { Owner } from '../state/owner.ts';
import { createOwn } from '../state/write-own.ts';
import type { DaemonPaths } from './daemon-paths.ts';

const secretBytes = 32;
const maxBytes = 1_024;

/** Throws an Error whose message says why there is no secret that can be trusted. */
export function openSecret({ secretFile }: Pick<DaemonPaths, 'secretFile'>, owner: Owner): Buffer {
  const known = readSecret(secretFile, owner);
  if (known !== undefined) return known;
  try {
    // When two processes create the secret at once, the first wins.
    createOwn(secretFile, randomBytes(secretBytes).toString('hex'));
  } catch (error) {
    throw new Error(`${secretFile} cannot be written (${codeOf(error)})`);
  }
  const made = readSecret(secretFile, owner);
  if (made === undefined) throw new Error(`${secretFile} was removed right after it was written`);
  return made;
}

function readSecret(path: string, owner: Owner): Buffer | undefined {
  let text: string;
  try {
    text = readOwn(path, { maxBytes, owner }).toString('utf8');
  } catch (error) {
    if (error instanceof FileFault) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read (${codeOf(error)})`);
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a secret of the Workbench; remove it`);
  return Buffer.from(text, 'hex');
}
