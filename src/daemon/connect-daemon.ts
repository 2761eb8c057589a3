/** Connects a shim to the daemon: each side proves that it knows the secret before anything else is said. */
import { connect, type Socket } from 'node:net';
import { codeOf } from '../base/errors/code-of.ts';
import { toPrintable } from '../base/text/printable.ts';
import {
  type ClientOverrides,
  type Greeting,
  parseGreeting,
  parseNonceLine,
  toFirstLine,
  type ViewQuestion,
  type Want,
} from './handshake-messages.ts';
import { isProof, makeNonce, prove } from './proof.ts';
import { readLine } from './read-line.ts';

export interface ConnectDaemonOptions {
  readonly address: string;
  readonly secret: Buffer;
  readonly want: Want;
  readonly wishes?: ClientOverrides;
  /** For a client that wants a view. */
  readonly question?: ViewQuestion;
  /** See `Hello`. */
  readonly goesOn?: boolean;
  /** How long the daemon may take for each of its lines. */
  readonly patienceMs?: number;
}

export type DaemonConnection =
  | { readonly kind: 'met'; readonly socket: Socket; readonly greeting: Greeting }
  /** No daemon listens there, or it was about to end. */
  | { readonly kind: 'absent' }
  /** A daemon or another program listens there that we cannot use. */
  | { readonly kind: 'unusable'; readonly why: string };

const defaultPatienceMs = 10_000;

export async function connectDaemon(options: ConnectDaemonOptions): Promise<DaemonConnection> {
  const { address, secret, want, wishes = {}, goesOn = false, patienceMs = defaultPatienceMs } = options;
  const asked = options.question === undefined ? {} : { question: options.question };
  const opened = await open(address);
  if (!('socket' in opened)) return opened;
  const { socket } = opened;
  const leave = (meeting: DaemonConnection): DaemonConnection => {
    socket.destroy();
    return meeting;
  };
  const missing = (): DaemonConnection =>
    leave(socket.readableEnded || socket.destroyed ? { kind: 'absent' } : unusable('the daemon does not answer'));

  const challenge = await readLine(socket, patienceMs);
  if (challenge === undefined) return missing();
  const daemon = parseNonceLine(challenge);
  if (daemon === undefined) return leave(unusable('the program that listens there is not a daemon of the Workbench'));
  const nonces = { daemon, shim: makeNonce() };
  socket.write(
    toFirstLine({ nonce: nonces.shim, proof: prove(secret, 'shim', nonces), want, goesOn, ...asked, ...wishes }),
  );
  const line = await readLine(socket, patienceMs);
  if (line === undefined) return missing();
  const greeting = parseGreeting(line);
  // The text of an unknown program is not repeated: it could reach a terminal.
  if (greeting?.proof === undefined || !isProof(greeting.proof, prove(secret, 'daemon', nonces)))
    return leave(unusable('the program that listens there does not know the secret'));
  if ('refused' in greeting) return leave(unusable(toPrintable(greeting.refused)));
  return { kind: 'met', socket, greeting };
}

function unusable(why: string): DaemonConnection {
  return { kind: 'unusable', why };
}

/** A path without a listener, or a file that is not a socket. */
const nobody = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ECONNRESET', 'EPIPE']);

function open(address: string): Promise<{ socket: Socket } | DaemonConnection> {
  return new Promise((resolve) => {
    const socket = connect({ path: address, allowHalfOpen: true });
    socket.once('connect', () => resolve({ socket }));
    // This handler stays: a connection that breaks later is noticed by its end.
    socket.on('error', (error) => {
      resolve(
        nobody.has(codeOf(error)) ? { kind: 'absent' } : unusable(`the connection cannot be opened (${codeOf(error)})`),
      );
    });
  });
}
