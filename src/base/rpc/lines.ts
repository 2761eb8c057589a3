/**
 * Newline framing for both edges: bytes in, whole lines out.
 * The cost is linear in the bytes, however they are cut. A line over the limit is skipped to its end and reported, and the next
 * one is read normally.
 */

import { chunkedFrom } from '../json/chunked-text.ts';
import type { ByteBudget, HeldPart } from './byte-budget.ts';
import { HeldBytes } from './held-bytes.ts';

const newline = 0x0a;
/** How much of the beginning and of the end of an oversized line is shown. */
const endBytes = 256;

export interface LineReader {
  push(chunk: Buffer): void;
  /** The stream has ended; a last line without a newline still counts. */
  end(): void;
}

export interface LineHandlers {
  readonly maxBytes: number;
  onLine(line: string): void;
  /** A line was longer than allowed and was discarded; `head` is its beginning, `tail` its end. */
  onOversize(bytes: number, head: string, tail: string): void;
  /** What all readers together may hold of unfinished lines. */
  readonly budget?: ByteBudget;
  /** A line was discarded because all readers together held too much; called instead of `onOversize`. */
  onCrowded?(head: string, tail: string): void;
}

export function createLineReader({ maxBytes, onLine, onOversize, budget, onCrowded }: LineHandlers): LineReader {
  const parts = new HeldBytes();
  let held = 0;
  /** Why held bytes are discarded: too many by themselves, or too many together with those of other readers. */
  let skipping: 'size' | 'crowd' | undefined;
  let head = '';
  let tail = '';
  let part: HeldPart | undefined;

  const tell = (line: string) => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text !== '') onLine(text);
  };

  const finish = () => {
    const line = skipping !== undefined || held === 0 ? '' : parts.text();
    const skipped = skipping;
    const bytes = held;
    const ends = [head, tail] as const;
    parts.clear();
    part?.close();
    part = undefined;
    held = 0;
    skipping = undefined;
    head = '';
    tail = '';
    if (skipped === 'size') onOversize(bytes, ...ends);
    else if (skipped === 'crowd') onCrowded?.(...ends);
    else tell(line);
  };

  const skip = (why: 'size' | 'crowd') => {
    head = parts.head(endBytes);
    tail = parts.tail(endBytes);
    parts.clear();
    part?.close();
    part = undefined;
    skipping = why;
  };

  const keep = (piece: Buffer) => {
    if (piece.length === 0) return;
    held += piece.length;
    if (skipping !== undefined) {
      tail = `${tail}${piece.subarray(-endBytes).toString('utf8')}`.slice(-endBytes);
      return;
    }
    parts.add(piece);
    if (held > maxBytes) skip('size');
    else if (budget !== undefined && held > chunkedFrom) {
      const more = part === undefined ? held : piece.length;
      part ??= budget.hold(parts, () => skip('crowd'));
      part.grow(more);
    }
  };

  /** Whole lines, none of them too long. The chunk is decoded once: under load most chunks hold many lines. */
  const tellAll = (text: string) => {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      tell(text.slice(start, end));
      start = end + 1;
    }
    tell(start === 0 ? text : text.slice(start));
  };

  return {
    push(chunk) {
      let start = 0;
      // Empty lines mean nothing, and searching for the next newline costs more than skipping this one.
      if (held === 0) while (chunk[start] === newline) start++;
      // A line that began in an earlier chunk, and every line of a chunk that may hold an oversized one, is taken on its own.
      while (held > 0 || chunk.length > maxBytes) {
        const at = chunk.indexOf(newline, start);
        if (at < 0) break;
        keep(chunk.subarray(start, at));
        finish();
        start = at + 1;
        while (chunk[start] === newline) start++;
      }
      // Most chunks end at the end of a line.
      const last = chunk.at(-1) === newline ? chunk.length - 1 : chunk.lastIndexOf(newline);
      if (last >= start) tellAll(chunk.toString('utf8', start, last));
      const rest = Math.max(start, last + 1);
      if (rest < chunk.length) keep(chunk.subarray(rest));
    },
    end: finish,
  };
}
