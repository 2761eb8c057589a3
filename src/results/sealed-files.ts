/**
 * Texts on disk while a run lasts. A result can hold secrets, so each file is sealed with a key that only this process has and that
 * is never written: what a crash leaves behind cannot be read, and a later run removes it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findOwn } from '../state/open-own.ts';
import { prepareFolder } from '../state/own-folder.ts';
import { replaceOwnLater } from '../state/write-own.ts';

export interface SealedFiles {
  /** The name of the new file. Rejects when it cannot be written. */
  write(text: string): Promise<string>;
  /** Undefined when the file is gone, damaged, or not ours. */
  read(name: string): Promise<string | undefined>;
  remove(name: string): void;
  /** Removes files that other runs have left behind. */
  prune(now: number): Promise<void>;
}

const ivBytes = 12;
const tagBytes = 16;
const maxFileBytes = 1_024 * 1_024 * 1_024;
/** So much is sealed at a time; then other work gets its turn. */
const pieceBytes = 1_024 * 1_024;
const nameForm = /^[0-9a-f]{32}\.sealed(\.[0-9a-f]+\.tmp)?$/;

export function createSealedFiles(dir: string, maxAgeMs: number): SealedFiles {
  const key = randomBytes(32);
  return {
    async write(text) {
      const fault = prepareFolder(dir);
      if (fault !== undefined) throw new Error(fault);
      const name = `${randomBytes(16).toString('hex')}.sealed`;
      await replaceOwnLater(join(dir, name), await seal(text, key), { durable: false });
      return name;
    },
    async read(name) {
      const bytes = findOwn(join(dir, name), { maxBytes: maxFileBytes });
      return bytes === undefined ? undefined : unseal(bytes, key).catch(() => undefined);
    },
    remove(name) {
      try {
        rmSync(join(dir, name), { force: true });
      } catch {
        // A later run removes it.
      }
    },
    async prune(now) {
      const names = (await readdir(dir).catch(() => [])).filter((name) => nameForm.test(name));
      for (const name of names) {
        const path = join(dir, name);
        const facts = await lstat(path).catch(() => undefined);
        if (facts?.isFile() === true && now - facts.mtimeMs > maxAgeMs) await rm(path, { force: true }).catch(() => {});
      }
    },
  };
}

/** A text with half a character of two code units has no UTF-8 form. */
const encodings = ['utf8', 'utf16le'] as const;

async function seal(text: string, key: Buffer): Promise<Buffer> {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const encoding = /\p{Surrogate}/u.test(text) ? 1 : 0;
  const pieces = [iv, cipher.update(Buffer.of(encoding))];
  for await (const piece of inPieces(Buffer.from(text, encodings[encoding]))) pieces.push(cipher.update(piece));
  pieces.push(cipher.final(), cipher.getAuthTag());
  return Buffer.concat(pieces);
}

/** Rejects when a byte has changed. */
async function unseal(bytes: Buffer, key: Buffer): Promise<string> {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const pieces: Buffer[] = [];
  for await (const piece of inPieces(bytes.subarray(ivBytes, -tagBytes))) pieces.push(decipher.update(piece));
  pieces.push(decipher.final());
  const plain = Buffer.concat(pieces);
  return plain.subarray(1).toString(encodings[plain[0] === 1 ? 1 : 0]);
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    if (at + pieceBytes < bytes.length) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
