/**
 * What a server writes on stderr: handed on line by line, and the last of it kept to explain a failure.
 * Bounded both ways, so that a server that floods stderr costs nothing but its own lines.
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
  const kept: string[] = [];
  let keptBytes = 0;
  let current = Buffer.alloc(0);
  let cut = false;

  const text = () => {
    const line = current.toString('utf8').trimEnd();
    return cut ? `${line}…` : line;
  };
  const finish = () => {
    const line = text();
    current = Buffer.alloc(0);
    cut = false;
    if (line === '') return;
    kept.push(line);
    keptBytes += sizeOf(line);
    while (keptBytes > maxTailBytes) keptBytes -= sizeOf(kept.shift() ?? '');
    onLine(line);
  };
  const keep = (piece: Buffer) => {
    const room = maxLineBytes - current.length;
    if (piece.length > room) cut = true;
    if (piece.length > 0 && room > 0) current = Buffer.concat([current, piece.subarray(0, room)]);
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
    lines: () => (current.length > 0 ? [...kept, text()] : [...kept]),
  };
}

function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1;
}
