/** What a client says, up to the mark that stands for its end; for connections that cannot be closed by half. */
import type { Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { endMark } from './first-lines.ts';

const mark = endMark.charCodeAt(0);

export function untilMark(socket: Socket): Readable {
  const input = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const ends = chunk.at(-1) === mark;
      if (chunk.length > (ends ? 1 : 0)) this.push(ends ? chunk.subarray(0, -1) : chunk);
      if (ends) this.push(null);
      done();
    },
  });
  socket.pipe(input);
  socket.once('close', () => input.destroy());
  // Whatever comes after the end is of no interest.
  input.on('error', () => {});
  return input;
}
