/**
 * Lines for the journal of the state folder: appended together, readable by their owner only, in a file that is set aside when it
 * is full. Several programs write to it, so nobody keeps it open.
 */
import { closeSync, fstatSync, lstatSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openOwnToAppend } from '../state/open-own.ts';
import { prepareFolder } from '../state/own-folder.ts';
import { currentOwner } from '../state/owner.ts';

export interface JournalFile {
  /** Throws an Error that says why it cannot. */
  append(text: string): void;
}

const mostBytes = 1024 * 1024;

export function openJournalFile(stateDir: string): JournalFile {
  const folder = join(stateDir, 'log');
  const path = join(folder, 'calls.jsonl');
  let prepared = false;
  const prepare = () => {
    const fault = prepareFolder(folder, currentOwner());
    if (fault !== undefined) throw new Error(fault);
    prepared = true;
  };
  return {
    append(text) {
      if (!prepared) prepare();
      let file = openOwnToAppend(path);
      try {
        if (isFull(file, path, text)) {
          closeSync(file);
          renameSync(path, `${path}.old`);
          file = openOwnToAppend(path);
        }
        writeSync(file, text);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** False when another program has set it aside a moment ago: then the path is the next one already. */
function isFull(file: number, path: string, text: string): boolean {
  const { size, ino } = fstatSync(file);
  return size > 0 && size + Buffer.byteLength(text) > mostBytes && lstatSync(path).ino === ino;
}
