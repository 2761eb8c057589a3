/** Gathers the lines of one tick into one write: a pipe write costs more than the message in it. */
import type { Writable } from 'node:stream';

export interface LineWriter {
  send(line: string): void;
  /** Writes at once what is still held. */
  flush(): void;
  /** About how many bytes nobody has read yet: text is counted by its characters. */
  readonly waiting: number;
}

/** Longer lines go out on their own, so that gathering never copies a large message. */
const ownWrite = 64 * 1024;

export function createLineWriter(stream: Writable): LineWriter {
  let held = '';
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    if (held === '') return;
    const text = held;
    held = '';
    stream.write(text);
  };
  return {
    send(line) {
      if (line.length > ownWrite) {
        flush();
        stream.write(`${line}\n`);
        return;
      }
      held += `${line}\n`;
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(flush);
    },
    flush,
    get waiting() {
      return held.length + stream.writableLength;
    },
  };
}
