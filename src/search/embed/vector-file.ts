/**
 * Vectors between runs: one file for each embedder, in the folder `embeddings` of the state. Several processes share it; the file
 * may be deleted at any time, which costs only the time to compute them again.
 *
 * Four letters, the CRC-32 of the rest, dimensions and count (u32, little-endian); for each vector the hash of its text
 * (16 bytes); for each vector its values (i8). The values of a vector are scaled so that the largest is 127.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { findOwn } from '../../state/open-own.ts';
import { prepareFolder } from '../../state/own-folder.ts';
import { replaceOwnLater } from '../../state/write-own.ts';

export interface KeptVectors {
  readonly dimensions: number;
  /** By the hash of the text; the newest last. */
  readonly vectors: ReadonlyMap<string, Int8Array>;
}

export interface VectorFile {
  /** Undefined when there is none, or none that is whole. */
  find(): KeptVectors | undefined;
  /** Adds to what is there; the oldest are dropped when there are too many. */
  save(kept: KeptVectors): Promise<void>;
}

const letters = 'WBev';
const headBytes = 16;
const hashBytes = 16;
const maxBytes = 64 * 1_024 * 1_024;
export const maxVectors = 20_000;

export function createVectorFile(stateDir: string | undefined, id: string): VectorFile {
  if (stateDir === undefined) return { find: () => undefined, async save() {} };
  const folder = join(stateDir, 'embeddings');
  const path = join(folder, `${id}.bin`);
  const find = () => {
    const bytes = findOwn(path, { maxBytes });
    return bytes === undefined ? undefined : parseVectors(bytes);
  };
  return {
    find,
    async save({ dimensions, vectors }) {
      const before = find();
      const older = before?.dimensions === dimensions ? before.vectors : new Map<string, Int8Array>();
      const all = [...older].filter(([hash]) => !vectors.has(hash)).concat([...vectors]);
      const count = Math.min(maxVectors, Math.floor((maxBytes - headBytes) / (hashBytes + dimensions)));
      if (prepareFolder(folder) !== undefined) return;
      const bytes = toBytes({ dimensions, vectors: new Map(all.slice(-count)) });
      await replaceOwnLater(path, bytes, { durable: false }).catch(() => {});
    },
  };
}

function toBytes({ dimensions, vectors }: KeptVectors): Buffer {
  const bytes = Buffer.alloc(headBytes + vectors.size * (hashBytes + dimensions));
  bytes.write(letters, 'latin1');
  bytes.writeUInt32LE(dimensions, 8);
  bytes.writeUInt32LE(vectors.size, 12);
  let at = headBytes;
  for (const hash of vectors.keys()) at += bytes.write(hash, at, 'hex');
  for (const vector of vectors.values()) {
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), at);
    at += vector.length;
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
  return bytes;
}

export function parseVectors(bytes: Buffer): KeptVectors | undefined {
  if (bytes.length < headBytes || bytes.toString('latin1', 0, 4) !== letters) return undefined;
  if (crc32(bytes.subarray(8)) !== bytes.readUInt32LE(4)) return undefined;
  const [dimensions, count] = [bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  if (dimensions === 0 || bytes.length !== headBytes + count * (hashBytes + dimensions)) return undefined;
  const values = headBytes + count * hashBytes;
  const vectors = new Map<string, Int8Array>();
  for (let at = 0; at < count; at++) {
    const hash = bytes.toString('hex', headBytes + at * hashBytes, headBytes + (at + 1) * hashBytes);
    vectors.set(hash, new Int8Array(bytes.buffer, bytes.byteOffset + values + at * dimensions, dimensions));
  }
  return { dimensions, vectors };
}

/** A vector in one byte for each value. */
export function toBytesVector(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const by = largest === 0 ? 0 : 127 / largest;
  return Int8Array.from(vector, (value) => Math.round(value * by));
}

/** The cosine of a vector of length 1 and one of the file. */
export function cosineOf(unit: Float32Array, kept: Int8Array): number {
  let product = 0;
  let square = 0;
  for (let at = 0; at < kept.length; at++) {
    const value = kept[at] as number;
    product += (unit[at] as number) * value;
    square += value * value;
  }
  return square === 0 ? 0 : product / Math.sqrt(square);
}
