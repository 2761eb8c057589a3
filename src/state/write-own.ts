/**
 * Files of our own are made and replaced as a whole: whoever reads one sees all of the old bytes or all of the new ones. What is not
 * finished has a name that nobody can guess and that was free, so that it can be no link to something else.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, promises, renameSync, rmSync, writeSync } from 'node:fs';
import { codeOf } from '../base/code-of.ts';
import { newFile, openNew } from './open-own.ts';

export interface ReplaceOptions {
  /** False: what may be lost with the power, and need not keep us waiting for the disk. */
  readonly durable?: boolean;
}

/** Throws when it cannot be. The folder is there. */
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

/** The same without holding anybody up: for what is large, or written while calls are under way. */
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

/** Whether it was made: false when there is one already. Of several that make one at once, the first wins, and its file is whole. */
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

/** How the name of what was not finished ends; somebody who died over it leaves it behind. */
export const draftEnding = '.tmp';

function toDraft(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}${draftEnding}`;
}

/** Not every file system has links; there, who reads at the same moment may find it unfinished. */
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

const mostTries = 10;
const pauseMs = 20;

/** Windows does not replace a file while somebody reads it. */
async function rename(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await promises.rename(from, to);
    } catch (error) {
      if (tries === mostTries || !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
