/**
 * Newline framing for both edges: bytes in, whole lines out.
 * Linear in what arrives however it is cut; a line over the limit is skipped to its end and reported, and the next one is read normally.
 */
import { textOfParts } from './long-text.ts';

const newline = 0x0a;
/** How much of a line that is too long is shown. */
const headBytes = 256;

export interface LineReader {
  push(chunk: Buffer): void;
  /** The stream has ended: a last line without a newline still counts. */
  end(): void;
}

export interface LineHandlers {
  readonly maxBytes: number;
  onLine(line: string): void;
  /** A line was longer than allowed and has been thrown away; `head` is how it began. */
  onOversize(bytes: number, head: string): void;
}

export function createLineReader({ maxBytes, onLine, onOversize }: LineHandlers): LineReader {
  let parts: Buffer[] = [];
  let held = 0;
  let skipping = false;
  let head = '';

  const tell = (line: string) => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text !== '') onLine(text);
  };

  const finish = () => {
    const line = skipping || held === 0 ? '' : textOfParts(parts, held);
    const skipped = skipping;
    const bytes = held;
    parts = [];
    held = 0;
    skipping = false;
    if (skipped) onOversize(bytes, head);
    else tell(line);
  };

  const keep = (piece: Buffer) => {
    if (piece.length === 0) return;
    held += piece.length;
    if (skipping) return;
    parts.push(piece);
    if (held > maxBytes) {
      head = Buffer.concat(parts, Math.min(held, headBytes)).toString('utf8');
      parts = [];
      skipping = true;
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
