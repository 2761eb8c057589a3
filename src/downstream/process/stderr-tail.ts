/**
 * Hands on what a server writes on stderr line by line, and keeps the last of it to explain a failure.
 * The length of a line and of what is kept are limited, so that a server that floods stderr costs only its own lines.
 */

const newline = 0x0a;
const maxLineBytes = 4 * 1024;
const defaultTailBytes = 64 * 1024;

export interface StderrTail {
  push(chunk: Buffer): void;
  /** The stream has ended: a last line without a newline still counts. */
  end(): void;
  /** The last lines, oldest first, an unfinished one included. */
  lines(): string[];
}

export function createStderrTail(onLine: (line: string) => void, maxTailBytes = defaultTailBytes): StderrTail {
  let kept: string[] = [];
  /** Lines before this index are forgotten; they are removed many at a time. */
  let oldest = 0;
  let keptBytes = 0;
  let current: Buffer = nothing;
  let cut = false;

  const toText = (bytes: Buffer) => {
    const line = bytes.toString('utf8').trimEnd();
    return cut ? `${line}…` : line;
  };
  const finish = (bytes: Buffer) => {
    const line = toText(bytes);
    current = nothing;
    cut = false;
    if (line === '') return;
    kept.push(line);
    keptBytes += sizeOf(line);
    while (keptBytes > maxTailBytes) keptBytes -= sizeOf(kept[oldest++] ?? '');
    if (oldest > maxForgotten) {
      kept = kept.slice(oldest);
      oldest = 0;
    }
    onLine(line);
  };
  /** The held part of the line with the next piece; copied only when there are two. */
  const join = (piece: Buffer): Buffer => {
    const room = maxLineBytes - current.length;
    if (piece.length > room) cut = true;
    const rest = piece.length > room ? piece.subarray(0, room) : piece;
    return current.length === 0 ? rest : rest.length === 0 ? current : Buffer.concat([current, rest]);
  };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        finish(join(chunk.subarray(start, at)));
        start = at + 1;
      }
      current = join(chunk.subarray(start));
    },
    end: () => finish(current),
    lines: () => [...kept.slice(oldest), ...(current.length > 0 ? [toText(current)] : [])],
  };
}

const nothing = Buffer.alloc(0);
const maxForgotten = 1_000;

function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1;
}
