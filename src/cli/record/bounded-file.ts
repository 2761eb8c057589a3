/** A log file that cannot fill the disk: when it is full, it is kept as the previous file and a new one begins. */
import { closeSync, fstatSync, renameSync, writeSync } from 'node:fs';
import { openOwnToAppend } from '../../state/open-own.ts';

export interface BoundedFile {
  write(text: string): void;
  close(): void;
}

/** A file of the state, readable by its owner only. Lines that cannot be written are lost: a log must not end the service. */
export function openBoundedFile(path: string, maxBytes: number): BoundedFile {
  let file: number | undefined;
  let size = 0;
  const open = () => {
    file = openOwnToAppend(path);
    size = fstatSync(file).size;
  };
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const begin = () => {
    close();
    renameSync(path, `${path}.old`);
    open();
  };
  return {
    write(text) {
      try {
        if (file === undefined) open();
        if (size > 0 && size + Buffer.byteLength(text) > maxBytes) begin();
        if (file !== undefined) size += writeSync(file, text);
      } catch {
        // The disk is full, or the folder was removed.
      }
    },
    close,
  };
}
