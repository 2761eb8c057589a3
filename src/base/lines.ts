/**
 * Newline framing for both edges: bytes in, whole lines out.
 * Linear in what arrives however it is cut; a line over the limit is skipped to its end and reported, and the next one is read normally.
 */
import type { ByteBudget, HeldPart } from './byte-budget.ts';
import { HeldBytes } from './held-bytes.ts';
import { longText } from './long-text.ts';

const newline = 0x0a;
/** How much of a line that is too long is shown, of its beginning and of its end. */
const endBytes = 256;

export interface LineReader {
  push(chunk: Buffer): void;
  /** The stream has ended: a last line without a newline still counts. */
  end(): void;
}

export interface LineHandlers {
  readonly maxBytes: number;
  onLine(line: string): void;
  /** A line was longer than allowed and has been thrown away; `head` is how it began, `tail` how it ended. */
  onOversize(bytes: number, head: string, tail: string): void;
  /** What all readers may hold of lines that have not ended. */
  readonly budget?: ByteBudget;
  /** A line was thrown away because all readers together held too much; told in place of `onOversize`. */
  onCrowded?(head: string, tail: string): void;
}

export function createLineReader({ maxBytes, onLine, onOversize, budget, onCrowded }: LineHandlers): LineReader {
  const parts = new HeldBytes();
  let held = 0;
  /** Why what is held is thrown away: it is too much by itself, or together with what others hold. */
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
    else if (budget !== undefined && held > longText) {
      const more = part === undefined ? held : piece.length;
      part ??= budget.hold(parts, () => skip('crowd'));
      part.grow(more);
    }
  };

  /** Whole lines, none of them too long. Turned into text at once: most chunks hold many lines when there is much to do. */
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
      // Empty lines are nothing, and looking for the next one costs more than stepping over it.
      if (held === 0) while (chunk[start] === newline) start++;
      // What was begun in an earlier chunk, and every line of a chunk in which one may be too long, is taken by itself.
      while (held > 0 || chunk.length > maxBytes) {
        const at = chunk.indexOf(newline, start);
        if (at < 0) break;
        keep(chunk.subarray(start, at));
        finish();
        start = at + 1;
        while (chunk[start] === newline) start++;
      }
      // Most chunks end with a line.
      const last = chunk.at(-1) === newline ? chunk.length - 1 : chunk.lastIndexOf(newline);
      if (last >= start) tellAll(chunk.toString('utf8', start, last));
      const rest = Math.max(start, last + 1);
      if (rest < chunk.length) keep(chunk.subarray(rest));
    },
    end: finish,
  };
}
