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

  const finish = () => {
    if (skipping) onOversize(held, head);
    else if (held > 0) {
      const line = textOfParts(parts, held);
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text !== '') onLine(text);
    }
    parts = [];
    held = 0;
    skipping = false;
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

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        keep(chunk.subarray(start, at));
        finish();
        start = at + 1;
      }
      keep(chunk.subarray(start));
    },
    end: finish,
  };
}
