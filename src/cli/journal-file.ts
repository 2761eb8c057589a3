/**
 * Lines for the journal of the state folder: appended together, readable by their owner only, in a file that is set aside when it
 * is full. Several programs write to it, so nobody keeps it open.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, findFault, type Owner, prepareFolder } from '../daemon/own-files.ts';

export interface JournalFile {
  /** Throws an Error that says why it cannot. */
  append(text: string): void;
}

export const journalName = 'calls.jsonl';
const mostBytes = 1024 * 1024;
/** Windows has none. */
const { O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

export function openJournalFile(stateDir: string): JournalFile {
  const owner: Owner = { platform: process.platform, uid: process.getuid?.() };
  const folder = join(stateDir, 'log');
  const path = join(folder, journalName);
  let prepared = false;
  const prepare = () => {
    const fault = prepareFolder(folder, owner);
    if (fault !== undefined) throw new Error(fault);
    prepared = true;
  };
  return {
    append(text) {
      if (!prepared) prepare();
      let file = openSafely(path, owner);
      try {
        if (isFull(file, path, text)) {
          closeSync(file);
          renameSync(path, `${path}.old`);
          file = openSafely(path, owner);
        }
        writeSync(file, text);
      } finally {
        closeSync(file);
      }
    },
  };
}

function openSafely(path: string, owner: Owner): number {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | O_NOFOLLOW;
  let file: number;
  try {
    file = openSync(path, flags, 0o600);
  } catch (error) {
    throw new Error(`${path} cannot be written (${codeOf(error)})`);
  }
  const fault = findFault(fstatSync(file), 'file', owner);
  if (fault === undefined) return file;
  closeSync(file);
  throw new Error(`${path} ${fault}`);
}

/** False when another program has set it aside a moment ago: then the path is the next one already. */
function isFull(file: number, path: string, text: string): boolean {
  const { size, ino } = fstatSync(file);
  return size > 0 && size + Buffer.byteLength(text) > mostBytes && lstatSync(path).ino === ino;
}
