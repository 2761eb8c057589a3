/**
 * What a client says, up to the mark that its shim sets behind it. The mark tells a client that has left, and still wants its
 * answers, from one whose shim is gone: both look the same to a socket.
 */
import type { Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { endMark } from './first-lines.ts';

export interface ClientInputOptions {
  /** The connection goes on behind the mark; otherwise the mark counts only as the last byte of all. */
  readonly goesOn: boolean;
  onAbandoned(): void;
}

const mark = endMark.charCodeAt(0);

export function openClientInput(socket: Socket, { goesOn, onAbandoned }: ClientInputOptions): Readable {
  let held = false;
  let ended = false;
  const input = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // It was no mark after all: there is more.
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
