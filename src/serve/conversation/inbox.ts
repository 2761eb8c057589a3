/**
 * The lines of one client, in their order. A long line waits for its turn among those of all clients, and its sender is not read
 * meanwhile.
 */
import type { Readable } from 'node:stream';
import { chunkedFrom } from '../../base/json/chunked-text.ts';
import { createByteBudget } from '../../base/rpc/byte-budget.ts';
import { createLineReader, type LineHandlers } from '../../base/rpc/lines.ts';
import { turns as sharedTurns, type Turn, type Turns } from './turns.ts';

/** Bytes of messages that are not read yet, of all clients together: they share one memory. */
export const unread = createByteBudget(32 * 1024 * 1024);

export interface Inbox {
  push(chunk: Buffer): void;
  /** The input has ended; `whenRead` is told when all that came has been read. */
  end(whenRead: () => void): void;
  /** Reads no more. */
  close(): void;
}

export interface InboxOptions extends Omit<LineHandlers, 'budget' | 'onLine' | 'onCrowded'> {
  readonly input: Pick<Readable, 'pause' | 'resume'>;
  /** Resolves when the line is answered. */
  onLine(line: string): Promise<unknown>;
  /** A line is not read because too many long ones are under way. */
  onCrowded(head: string, tail: string): void;
  readonly turns?: Turns;
}

export function createInbox(options: InboxOptions): Inbox {
  const { input, maxBytes, onLine, onOversize, onCrowded, turns = sharedTurns } = options;
  /** Lines that came behind a long one which waits, and that one. */
  let waiting: string[] = [];
  let whenRead: (() => void) | undefined;
  let closed = false;

  const take = (line: string) => {
    if (closed) return;
    if (waiting.length > 0) waiting.push(line);
    else if (line.length < chunkedFrom) void onLine(line);
    else if (turns.isFree(line.length)) turns.take(toTurn(line));
    else {
      waiting.push(line);
      hold(line);
    }
  };
  const read = (line: string, done: () => void) => {
    if (closed) done();
    else void onLine(line).finally(done);
  };
  const toTurn = (line: string): Turn => ({
    owner: options,
    length: line.length,
    begin: (done) => read(line, done),
    giveUp() {
      if (!closed) onCrowded(line, line);
    },
  });
  /** Until the first of those that wait may be read. */
  const hold = (line: string) => {
    input.pause();
    const part = unread.hold(options, () => {});
    part.complete();
    part.grow(line.length);
    const turn = toTurn(line);
    turns.take({
      ...turn,
      begin(done) {
        part.close();
        turn.begin(done);
        goOn();
      },
      giveUp() {
        part.close();
        turn.giveUp();
        goOn();
      },
    });
  };
  /** Behind the first of those that waited. */
  const goOn = () => {
    const [, ...others] = waiting;
    waiting = [];
    for (const line of others) take(line);
    if (waiting.length > 0 || closed) return;
    input.resume();
    whenRead?.();
  };
  const reader = createLineReader({
    maxBytes,
    budget: unread,
    onLine: take,
    onOversize: (...line) => closed || onOversize(...line),
    onCrowded: (...line) => closed || onCrowded(...line),
  });
  unread.makeRoom(maxBytes);
  turns.makeRoom(maxBytes);

  return {
    push: reader.push,
    end(told) {
      reader.end();
      if (waiting.length > 0) whenRead = told;
      else told();
    },
    close() {
      closed = true;
      // What has come of a line counts no more.
      reader.end();
    },
  };
}
