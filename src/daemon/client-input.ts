/**
 * The input of a client, up to the mark that its shim sends at the end. The mark tells a client that has left, and still wants
 * its answers, from one whose shim is gone: a socket shows no difference.
 */
import type { Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { endMark } from './handshake-messages.ts';

export interface ClientInputOptions {
  /** The connection goes on after the mark; otherwise the mark counts only as the very last byte. */
  readonly goesOn: boolean;
  onAbandoned(): void;
}

const mark = endMark.charCodeAt(0);

export function openClientInput(socket: Socket, { goesOn, onAbandoned }: ClientInputOptions): Readable {
  let held = false;
  let ended = false;
  const input = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // It was not the mark after all: more bytes follow.
      if (held && !ended) this.push(Buffer.of(mark));
      held = chunk.at(-1) === mark;
      const said = held ? chunk.subarray(0, -1) : chunk;
      if (said.length > 0 && !ended) this.push(said);
      if (held && goesOn && !ended) {
        ended = true;
        this.push(null);
      }
      done();
    },
    flush(done) {
      if (!held && !ended) onAbandoned();
      done();
    },
  });
  socket.pipe(input);
  socket.once('close', () => input.destroy());
  input.on('error', () => {});
  return input;
}
