/**
 * Creates and replaces files of the state as a whole: a reader sees either all old bytes or all new ones. An unfinished file has
 * an unguessable name that was free, so that it cannot be a link to another file.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, promises, renameSync, rmSync, writeSync } from 'node:fs';
import { codeOf } from '../base/errors/code-of.ts';
import { newFile, openNew } from './open-own.ts';

export interface ReplaceOptions {
  /** False for files that may be lost in a power failure, so that we need not wait for the disk. */
  readonly durable?: boolean;
}

/** Throws when the file cannot be written. The folder must exist. */
export function replaceOwn(path: string, content: Buffer | string, { durable = true }: ReplaceOptions = {}): void {
  const draft = toDraft(path);
  try {
    writeNew(draft, content, durable);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The same without blocking: for large files, or for writes while calls are under way. */
export async function replaceOwnLater(
  path: string,
  content: Buffer | string,
  { durable = true }: ReplaceOptions = {},
): Promise<void> {
  const draft = toDraft(path);
  try {
    const file = await promises.open(draft, newFile, 0o600);
    try {
      await file.writeFile(content);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await promises.rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Whether the file was created: false when it exists already. When several processes create it at once, the first wins, and
 * its file is complete.
 */
export function createOwn(path: string, content: Buffer | string): boolean {
  const draft = toDraft(path);
  try {
    writeNew(draft, content, true);
    link(draft, path, content);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The ending of the name of an unfinished file; a process that dies while writing leaves it behind. */
export const draftEnding = '.tmp';

function toDraft(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}${draftEnding}`;
}

/** Not every file system has links; without them, a reader may see the file unfinished for a moment. */
function link(draft: string, path: string, content: Buffer | string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    writeNew(path, content, true);
  }
}

function writeNew(path: string, content: Buffer | string, durable: boolean): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const descriptor = openNew(path);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const maxTries = 10;
const pauseMs = 20;

/** Windows does not replace a file while another process reads it. */
async function rename(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await promises.rename(from, to);
    } catch (error) {
      if (tries === maxTries || !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
