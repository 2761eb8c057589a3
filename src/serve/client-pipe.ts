/**
 * What is written to one client on a pipe, bounded: a client that does not read must not cost our memory. Over half of the bound
 * what it can do without is left out, over all of it a client that takes nothing is given up.
 */
import type { Writable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { createLineWriter } from '../base/gather.ts';
import type { Log } from '../base/log.ts';

export interface ClientPipeOptions {
  /** What may wait to be written. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ClientPipe {
  send(line: string): void;
  /** Writes at once what is still held. */
  flush(): void;
  /** Stops looking after the client. */
  close(): void;
}

/** Large answers may come in one moment to a client that reads well: over the bound it has this long to take something. */
const longestStallMs = 10_000;
/** So many times the bound is too much even for that long. */
const mostBounds = 4;

/** As `notificationText` writes them. Whoever waits for an answer has no use for any of these when it comes. */
const passing = /^\{"jsonrpc":"2\.0","method":"notifications\/(?:progress|message)"/;
/** That something changed is still true later: one of each is told when the client reads again. */
const lasting = /^\{"jsonrpc":"2\.0","method":"notifications\/(?:\w+\/list_changed|resources\/updated)"/;

/** Gives a client up by destroying `output` with an error: for whoever listens it is as if the pipe had broken. */
export function createClientPipe(output: Writable, { maxBytes, clock, log }: ClientPipeOptions): ClientPipe {
  const writer = createLineWriter(output);
  const owed = new Set<string>();
  let leftOut = 0;
  let sent = 0;
  let givenUp = false;
  let stopTimer: (() => void) | undefined;

  const giveUp = () => {
    givenUp = true;
    owed.clear();
    stopTimer?.();
    const message = 'the client does not read: it is given up';
    log.warn(message, { waitingBytes: writer.waiting, limit: maxBytes });
    output.destroy(new Error(message));
  };
  const watch = () => {
    const taken = sent - writer.waiting;
    stopTimer = clock.after(longestStallMs, () => {
      stopTimer = undefined;
      if (writer.waiting <= maxBytes) return;
      if (sent - writer.waiting === taken) giveUp();
      else watch();
    });
  };
  const write = (line: string) => {
    sent += line.length + 1;
    writer.send(line);
  };
  const onDrain = () => {
    if (leftOut > 0) log.warn('the client reads again; some messages were left out', { count: leftOut });
    leftOut = 0;
    const lines = [...owed];
    owed.clear();
    for (const line of lines) write(line);
  };
  output.on('drain', onDrain);

  return {
    send(line) {
      if (givenUp) return;
      const { waiting } = writer;
      if (waiting > maxBytes / 2) {
        if (lasting.test(line)) {
          owed.add(line);
          return;
        }
        if (passing.test(line)) {
          leftOut++;
          return;
        }
      }
      if (waiting > maxBytes * mostBounds) {
        giveUp();
        return;
      }
      write(line);
      if (waiting > maxBytes && stopTimer === undefined) watch();
    },
    flush() {
      if (!givenUp) writer.flush();
    },
    close() {
      stopTimer?.();
      output.off('drain', onDrain);
    },
  };
}
