/**
 * What is written to one client, on a pipe or as events over HTTP, bounded: a client that does not read must not cost our memory.
 * Over half of the bound what it can do without is left out, over all of it a client that takes nothing is given up. Answers are
 * never left out. What waits is held here and written piece by piece, so that it can be told whether a client takes anything.
 */
import type { Writable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { enoughText, soon } from '../base/gather.ts';
import type { Log } from '../base/log.ts';
import type { Text } from '../base/long-text.ts';

export interface BoundedOutputOptions {
  /** What may wait to be written, counted by characters. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** A message as it is written. */
  frame(message: string): string;
  /** The same of a long one, which is never put together; where there is none it is framed like any other. */
  frameLong?(parts: readonly string[]): readonly string[];
  /** Ends the output at once, with all that waits. */
  cut(reason: Error): void;
}

export interface BoundedOutput {
  /** How much nobody has read yet. */
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
const mostBounds = 4;
/** What is handed over at once: messages of a tick are gathered up to it, longer ones are cut. */
const pieceLength = 256 * 1024;

/** As `notificationText` writes them. Whoever waits for an answer has no use for any of these when it comes. */
const passing = /^\{"jsonrpc":"2\.0","method":"notifications\/(?:progress|message)"/;
/** That something changed is still true later: one of each is told when the client reads again. */
const lasting = /^\{"jsonrpc":"2\.0","method":"notifications\/(?:\w+\/list_changed|resources\/updated)"/;

export function createBoundedOutput(output: Writable, options: BoundedOutputOptions): BoundedOutput {
  const { maxBytes, clock, log, frame, frameLong, cut } = options;
  const queue: string[] = [];
  const owed = new Set<string>();
  let queued = 0;
  /** How often the client has taken all that was handed over. */
  let drained = 0;
  let free = true;
  let scheduled = false;
  let ending = false;
  let over = false;
  let leftOut = 0;
  let stopTimer: (() => void) | undefined;

  const waiting = () => queued + output.writableLength;
  const add = (text: string) => {
    const last = queue.length - 1;
    if (last >= 0 && (queue[last] as string).length + text.length <= pieceLength) queue[last] += text;
    else queue.push(text);
    queued += text.length;
    if (!free) return;
    if (queued >= enoughText) pump();
    else if (!scheduled) {
      scheduled = true;
      void soon.then(pumpLater);
    }
  };
  const pumpLater = () => {
    scheduled = false;
    pump();
  };
  const pump = () => {
    while (free && queue.length > 0 && !over) {
      const text = queue[0] as string;
      const piece = firstPiece(text);
      if (piece.length === text.length) queue.shift();
      else queue[0] = text.slice(piece.length);
      queued -= piece.length;
      free = output.write(piece);
    }
    if (ending && queue.length === 0 && !over) finish();
  };
  const finish = () => {
    ending = false;
    output.end();
  };
  const onDrain = () => {
    free = true;
    drained++;
    if (waiting() <= maxBytes / 2) catchUp();
    pump();
  };
  /** The client reads again. */
  const catchUp = () => {
    tellLeftOut();
    const messages = [...owed];
    owed.clear();
    for (const message of messages) add(frame(message));
  };
  const tellLeftOut = () => {
    if (leftOut > 0) log.warn('a client did not read; some messages were left out', { code: 'WB1022', count: leftOut });
    leftOut = 0;
  };
  const giveUp = () => {
    close();
    const message = 'the client does not read: it is given up';
    log.warn(message, { waitingBytes: waiting(), limit: maxBytes });
    queue.length = 0;
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
    tellLeftOut();
    owed.clear();
    stopTimer?.();
    output.off('drain', onDrain);
  };
  output.on('drain', onDrain);

  return {
    get waiting() {
      return waiting();
    },
    send(message, framed) {
      if (over) return;
      const before = waiting();
      // What is long is an answer.
      if (before > maxBytes / 2 && typeof message === 'string') {
        if (lasting.test(message)) {
          owed.add(message);
          return;
        }
        if (passing.test(message)) {
          leftOut++;
          return;
        }
      }
      if (before > maxBytes * mostBounds) {
        giveUp();
        return;
      }
      if (framed !== undefined) add(framed);
      else if (typeof message === 'string') add(frame(message));
      else if (frameLong !== undefined) for (const part of frameLong(message.parts)) add(part);
      else add(frame(String(message)));
      if (before > maxBytes && stopTimer === undefined) watch();
    },
    flush() {
      if (over || queue.length === 0) return;
      const text = queue.join('');
      queue.length = 0;
      queued = 0;
      free = output.write(text);
    },
    end() {
      ending = true;
      if (queue.length === 0 && !over) finish();
    },
    close,
  };
}

/** Never cut inside a character. */
function firstPiece(text: string): string {
  if (text.length <= pieceLength) return text;
  const code = text.charCodeAt(pieceLength - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? pieceLength + 1 : pieceLength);
}
