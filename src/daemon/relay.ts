/** Passes the bytes of one client to and from the daemon, each way as fast as the slower side reads. */
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { endMark } from './handshake-messages.ts';

export interface RelayOptions {
  readonly socket: Socket;
  readonly input: Readable;
  readonly output: Writable;
  /** The connection cannot be half-closed. */
  readonly goesOn: boolean;
  readonly signal: AbortSignal;
}

/**
 * How it ended. `answered`: the client left and got all answers. `stopped`: the daemon ended in order. `lost`: the daemon ended
 * unexpectedly. `aborted`: the signal fired.
 */
export type RelayEnd = 'answered' | 'stopped' | 'lost' | 'aborted';

const newline = 0x0a;
/** Longer than the time that the daemon gives to open calls of a client that has left. */
const maxLeaveMs = 15_000;

export function relay({ socket, input, output, goesOn, signal }: RelayOptions): Promise<RelayEnd> {
  return new Promise((resolve) => {
    let leaving = false;
    /** A line that the daemon has begun and not finished: half a line would break the protocol. */
    let held: Buffer[] = [];
    let over = false;
    let timer: NodeJS.Timeout | undefined;
    const finish = (end: RelayEnd) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      input.unpipe(socket);
      input.pause();
      socket.destroy();
      // Written bytes are handed over first.
      if (end === 'aborted' || output.destroyed) resolve(end);
      else output.write('', () => resolve(end));
    };
    const abort = () => finish('aborted');

    const leave = () => {
      if (leaving || over) return;
      leaving = true;
      timer = setTimeout(() => finish('lost'), maxLeaveMs);
      if (goesOn) socket.write(endMark);
      else socket.end(endMark);
    };
    input.pipe(socket, { end: false });
    input.on('end', leave).on('close', leave).on('error', leave);

    socket.on('data', (chunk: Buffer) => {
      const at = chunk.lastIndexOf(newline);
      if (at < 0) {
        held.push(chunk);
        return;
      }
      output.cork();
      for (const piece of held) output.write(piece);
      const goesOn = output.write(chunk.subarray(0, at + 1));
      output.uncork();
      held = at + 1 < chunk.length ? [chunk.subarray(at + 1)] : [];
      if (goesOn) return;
      socket.pause();
      output.once('drain', () => socket.resume());
    });
    const judge = () => {
      const inOrder = Buffer.concat(held).toString('latin1') === endMark;
      finish(inOrder ? (leaving ? 'answered' : 'stopped') : 'lost');
    };
    socket.on('end', judge).on('close', judge);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else socket.resume();
  });
}
