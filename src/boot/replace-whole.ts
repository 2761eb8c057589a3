/** Replaces a file so that whoever reads it sees all of the old bytes or all of the new ones, also after a power cut. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Readable by its owner only. Throws when it cannot be. */
export function replaceWhole(file: string, bytes: Buffer): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    const opened = openSync(draft, 'w', 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(opened, bytes, at);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
