/**
 * What is written to one client, on a pipe or as events over HTTP, bounded: a client that does not read must not cost our memory.
 * Over half of the bound what it can do without is left out, over all of it a client that takes nothing is given up. Answers are
 * never left out. What waits is held here and written piece by piece, so that it can be told whether a client takes anything.
 */
import type { Writable } from 'node:stream';
import type { Clock } from '../../base/async/clock.ts';
import type { Text } from '../../base/json/chunked-text.ts';
import type { Log } from '../../base/text/log.ts';
import { PieceQueue } from './piece-queue.ts';

export interface BoundedOutputOptions {
  /** What may wait to be written, counted by characters. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** A message as it is written. */
  frame(message: string): string;
  /** The same for a long message, whose parts are never joined; without it a long message is framed like others. */
  frameLong?(parts: readonly string[]): readonly string[];
  /** Ends the output at once, with all that waits. */
  cut(reason: Error): void;
}

export interface BoundedOutput {
  /** Characters that the client has not read yet. */
  readonly waiting: number;
  /** `framed`: how it is written when it goes out in its turn, if not as usual. */
  send(message: Text, framed?: string): void;
  /** Hands over at once what is still held, whether or not it is read. */
  flush(): void;
  /** Ends the output behind everything that was sent. */
  end(): void;
  /** The output is gone: stops looking after it. */
  close(): void;
}

/** Large answers may come in one moment to a client that reads well: over the bound it has this long to take something. */
const longestStallMs = 10_000;
/** So many times the bound is too much even for that long. */
const maxBounds = 4;

/** As `notificationText` writes them. They are of no use to a client that has got the answer which they precede. */
const passing = /^\{"jsonrpc":"2\.0","method":"notifications\/(?:progress|message)"/;
/** News that is still true later: one of each is told when the client reads again. */
const lasting = /^\{"jsonrpc":"2\.0","method":"notifications\/(?:\w+\/list_changed|resources\/updated)"/;

export function createBoundedOutput(output: Writable, options: BoundedOutputOptions): BoundedOutput {
  const { maxBytes, clock, log, frame, frameLong, cut } = options;
  const queue = new PieceQueue(output);
  const owed = new Set<string>();
  /** How often the client has taken all that was handed over. */
  let drained = 0;
  let over = false;
  let leftOut = 0;
  let stopTimer: (() => void) | undefined;

  const waiting = () => queue.length + output.writableLength;
  const onDrain = () => {
    drained++;
    if (waiting() <= maxBytes / 2) catchUp();
    queue.resume();
  };
  /** The client reads again. */
  const catchUp = () => {
    tellLeftOut();
    const messages = [...owed];
    owed.clear();
    for (const message of messages) queue.add(frame(message));
  };
  const tellLeftOut = () => {
    if (leftOut > 0) log.warn('a client did not read; some messages were left out', { code: 'WB1022', count: leftOut });
    leftOut = 0;
  };
  const giveUp = () => {
    const message = 'the client does not read: it is given up';
    const waitingBytes = waiting();
    close();
    log.warn(message, { waitingBytes, limit: maxBytes });
    cut(new Error(message));
  };
  const watch = () => {
    const before = drained;
    stopTimer = clock.after(longestStallMs, () => {
      stopTimer = undefined;
      if (waiting() <= maxBytes) return;
      if (drained === before) giveUp();
      else watch();
    });
  };
  const close = () => {
    if (over) return;
    over = true;
    queue.close();
    tellLeftOut();
    owed.clear();
    stopTimer?.();
    output.off('drain', onDrain);
  };
  /** Whether a message need not wait in a long queue. */
  const isSpared = (message: string): boolean => {
    if (lasting.test(message)) {
      owed.add(message);
      return true;
    }
    if (!passing.test(message)) return false;
    leftOut++;
    return true;
  };
  output.on('drain', onDrain);

  return {
    get waiting() {
      return waiting();
    },
    send(message, framed) {
      if (over) return;
      const before = waiting();
      // A long text is always an answer.
      if (before > maxBytes / 2 && typeof message === 'string' && isSpared(message)) return;
      if (before > maxBytes * maxBounds) return giveUp();
      if (framed !== undefined) queue.add(framed);
      else if (typeof message === 'string') queue.add(frame(message));
      else if (frameLong !== undefined) for (const part of frameLong(message.parts)) queue.add(part);
      else queue.add(frame(String(message)));
      if (before > maxBytes && stopTimer === undefined) watch();
    },
    flush: () => queue.flush(),
    end: () => queue.end(),
    close,
  };
}
