/**
 * The journal file of the state folder: lines are appended together, readable by their owner only, and a full file is set aside.
 * Several programs write to it, so none keeps it open.
 */
import { closeSync, fstatSync, lstatSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openOwnToAppend } from '../../state/open-own.ts';
import { prepareFolder } from '../../state/own-folder.ts';
import { currentOwner } from '../../state/owner.ts';

export interface JournalFile {
  /** Throws an Error that says why it cannot. */
  append(text: string): void;
}

const maxBytes = 1024 * 1024;

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

/** False when another program has just set it aside: then the path is the next file already. */
function isFull(file: number, path: string, text: string): boolean {
  const { size, ino } = fstatSync(file);
  return size > 0 && size + Buffer.byteLength(text) > maxBytes && lstatSync(path).ino === ino;
}
