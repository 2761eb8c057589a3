/** Shows progress while a command waits: one line that is rewritten in a terminal, occasional plain lines elsewhere. */
import { toPrintable, type Workbench } from '../../index.ts';
import type { Args } from '../args/args.ts';
import type { Io } from '../run/io.ts';
import { cutToWidth } from './text-width.ts';

export interface ProgressLine {
  show(text: string): void;
  /** Removes the line, so that what follows starts on a clean one. */
  clear(): void;
}

export function createProgressLine(io: Io, args: Args): ProgressLine {
  if (args.has('quiet')) return { show() {}, clear() {} };
  if (!io.tty.stderr) return { show: (text) => io.stderr.write(`${text}\n`), clear() {} };
  let shown = false;
  return {
    show(text) {
      shown = true;
      io.stderr.write(`\r${cutToWidth(text, (io.columns ?? 80) - 1)}\u001b[K`);
    },
    clear() {
      if (shown) io.stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}

const everyMs = { terminal: 1_000, elsewhere: 10_000 };

/** Names the servers that take long to start, until the returned function is called. */
export function watchStarts(workbench: Workbench, io: Io, line: ProgressLine): () => void {
  const began = Date.now();
  const timer = setInterval(
    () => {
      const [first, ...more] = workbench.servers().filter(({ state }) => state === 'starting');
      if (first === undefined) return line.clear();
      const seconds = Math.round((Date.now() - began) / 1_000);
      const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
      line.show(`${toPrintable(first.name)}: starting, ${seconds} s${others}`);
    },
    io.tty.stderr ? everyMs.terminal : everyMs.elsewhere,
  );
  return () => {
    clearInterval(timer);
    line.clear();
  };
}
