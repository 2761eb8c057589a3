/** The secret that the daemon and its clients share: made once, kept in a file that only its owner can read, never sent. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { checkOwn, codeOf, type Owner } from './own-files.ts';
import type { Place } from './place.ts';

const secretBytes = 32;

/** Throws an Error whose message says why there is none that can be trusted. */
export function openSecret({ secretFile }: Pick<Place, 'secretFile'>, owner: Owner): Buffer {
  const known = readSecret(secretFile, owner);
  if (known !== undefined) return known;
  // Of two that make one at once, the first wins; whoever reads sees all of it or nothing.
  const draft = `${secretFile}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, randomBytes(secretBytes).toString('hex'), { flag: 'wx', mode: 0o600 });
    linkSync(draft, secretFile);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw new Error(`${secretFile} cannot be written (${codeOf(error)})`);
  } finally {
    rmSync(draft, { force: true });
  }
  const made = readSecret(secretFile, owner);
  if (made === undefined) throw new Error(`${secretFile} is gone again`);
  return made;
}

function readSecret(path: string, owner: Owner): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read (${codeOf(error)})`);
  }
  const fault = checkOwn(path, 'file', owner);
  if (fault !== undefined) throw new Error(fault);
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} holds no secret of ours; remove it`);
  return Buffer.from(text, 'hex');
}
