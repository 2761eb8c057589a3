/**
 * The files of the word tables, which `scripts/words` writes: four letters, the CRC-32 of the rest, the rest. Little-endian.
 * A file that is missing, cut off or changed is not used.
 */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const headBytes = 8;

export interface TableFile {
  /** The checksum that the file states and has. */
  readonly checksum: number;
  readonly body: Buffer;
}

export function findTableFile(path: string, letters: string): TableFile | undefined {
  const bytes = findBytes(path);
  if (bytes === undefined || bytes.length < headBytes || bytes.toString('latin1', 0, 4) !== letters) return undefined;
  const body = bytes.subarray(headBytes);
  const checksum = bytes.readUInt32LE(4);
  return crc32(body) === checksum ? { checksum, body } : undefined;
}

function findBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
