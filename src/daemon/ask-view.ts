/**
 * Asks the daemon or service that runs the servers of a configuration how they are and what they offer: one JSON value after the
 * greeting.
 */
import type { Socket } from 'node:net';
import { type JsonObject, parseObject } from '../base/json/json.ts';
import { connectDaemon } from './connect-daemon.ts';
import type { ViewQuestion } from './handshake-messages.ts';

export interface AskViewOptions {
  readonly address: string;
  readonly secret: Buffer;
  readonly question: ViewQuestion;
  readonly signal: AbortSignal;
}

/** More than all tools of any set of servers. */
const maxBytes = 256 * 1024 * 1024;

/** Undefined when the daemon is gone, or its answer is not a view. Servers may start slowly: only the signal limits the time. */
export async function askView({ signal, ...options }: AskViewOptions): Promise<JsonObject | undefined> {
  const meeting = await connectDaemon({ ...options, want: 'view' });
  if (meeting.kind !== 'met') return undefined;
  const { socket } = meeting;
  const leave = () => socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return parseObject(await readAll(socket));
  } finally {
    signal.removeEventListener('abort', leave);
    socket.destroy();
  }
}

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => resolve(size > maxBytes ? '' : Buffer.concat(chunks).toString('utf8'));
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) socket.destroy();
      else chunks.push(chunk);
    });
    socket.on('end', finish).on('close', finish);
    socket.resume();
  });
}
