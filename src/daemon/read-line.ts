/** Reads one line from a connection and leaves the rest for the next reader. */
import type { Socket } from 'node:net';

const newline = 0x0a;
const maxLineLength = 256 * 1024;

/** Undefined when the connection ends, fails, sends too much, or is silent for too long. The socket is left paused. */
export function readLine(socket: Socket, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let held = Buffer.alloc(0);
    const finish = (line: string | undefined) => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', take).off('end', fail).off('close', fail).off('error', fail);
      resolve(line);
    };
    const fail = () => finish(undefined);
    const take = (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      const at = held.indexOf(newline);
      if (at < 0) {
        if (held.length > maxLineLength) fail();
        return;
      }
      const rest = held.subarray(at + 1);
      finish(held.subarray(0, at).toString('utf8'));
      if (rest.length > 0) socket.unshift(rest);
    };
    const timer = setTimeout(fail, timeoutMs);
    socket.on('data', take).on('end', fail).on('close', fail).on('error', fail);
    socket.resume();
  });
}
