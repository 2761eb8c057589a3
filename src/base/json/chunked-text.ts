/**
 * Converts long texts between bytes and strings with little new memory: touching new memory costs more than the work on it, so
 * one buffer per direction is kept and reused.
 */

/** From this length on it pays off. */
export const chunkedFrom = 64 * 1024;
/** Larger buffers are not kept. */
const maxKept = 4 * 1024 * 1024;

/** A long text whose parts are not joined: one string of all parts would be new memory for all of it. */
export class ChunkedText {
  readonly parts: readonly string[];
  readonly length: number;

  constructor(parts: readonly string[]) {
    this.parts = parts;
    this.length = parts.reduce((sum, { length }) => sum + length, 0);
  }

  toString(): string {
    return this.parts.join('');
  }
}

export type Text = string | ChunkedText;

let joined: Buffer | undefined;

/** The text of bytes that arrived in parts. */
export function textOfParts(parts: readonly Buffer[], bytes: number): string {
  const [first] = parts;
  if (first === undefined) return '';
  if (parts.length === 1) return first.toString('utf8');
  if (bytes < chunkedFrom || bytes > maxKept) return Buffer.concat(parts, bytes).toString('utf8');
  if (joined === undefined || joined.length < bytes) joined = Buffer.allocUnsafeSlow(roomFor(bytes));
  let at = 0;
  for (const part of parts) at += part.copy(joined, at);
  return joined.toString('utf8', 0, at);
}

let spare: Buffer | undefined;

export interface LongBytes {
  readonly bytes: Buffer;
  /** Call only when all the bytes have been written: their memory is reused. */
  release(): void;
}

/** The bytes of a text, in memory that is reused after its release. */
export function bytesOf(text: Text): LongBytes {
  const parts = typeof text === 'string' ? [text] : text.parts;
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const room = spare !== undefined && spare.length >= length ? spare : Buffer.allocUnsafeSlow(roomFor(length));
  if (room === spare) spare = undefined;
  let at = 0;
  for (const part of parts) at += room.write(part, at, 'utf8');
  let released = false;
  return {
    bytes: room.subarray(0, length),
    release() {
      if (released) return;
      released = true;
      if (room.length <= maxKept && room.length > (spare?.length ?? 0)) spare = room;
    },
  };
}

function roomFor(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(bytes, chunkedFrom)));
}
