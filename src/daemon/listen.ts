/** The daemon's side: admits clients that know the secret, tells them what they need, and gives each a session of its own. */

import { createServer, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { defined } from '../base/json/defined.ts';
import { type BoundAddress, bindAddress, type Taking } from './bind-address.ts';
import { openClientInput } from './client-input.ts';
import type { DaemonPaths } from './daemon-paths.ts';
import {
  type ClientOverrides,
  type DaemonStatus,
  endMark,
  type Greeting,
  parseHello,
  toFirstLine,
  type ViewQuestion,
} from './handshake-messages.ts';
import { isProof, makeNonce, prove } from './proof.ts';
import { readLine } from './read-line.ts';

export interface ClientListenOptions {
  readonly place: DaemonPaths;
  readonly secret: Buffer;
  status(): Omit<DaemonStatus, 'clients'> & Pick<Greeting, 'variables' | 'definitions' | 'mode' | 'separator'>;
  /** The view that follows the greeting, for a client that asked for one. */
  view(question: ViewQuestion): Promise<object>;
  /** How a client would be served: a note for its person, or why it cannot be served. */
  plan(wishes: ClientOverrides): { readonly notes: readonly string[] } | { readonly refused: string };
  serve(client: {
    readonly input: Readable;
    readonly output: Writable;
    readonly wishes: ClientOverrides;
    /** The client is a command that shows a result to a person, not a model. */
    readonly wholeResults: boolean;
  }): ClientService;
  onStop(): void;
  onReload(): void;
  /** Called when a client has connected. */
  onClient(): void;
  /** Called when the last client has left. `reachable`: the next client can find us. */
  onAlone(state: { readonly reachable: boolean }): void;
  /** A client was disconnected because it does not read. */
  onClogged(): void;
}

type Served = Parameters<ClientListenOptions['serve']>[0];

export interface ClientService {
  /** Resolves when the client has left and its requests are answered. */
  readonly done: Promise<void>;
  close(): void;
}

export interface OpenDoor {
  /** Admits no further clients and ends the connections in order. */
  close(): Promise<void>;
}

const patienceMs = 10_000;
const closeMs = 1_000;
/** How much may wait for a client that does not read: more than the largest answer. */
const maxWaitingBytes = 256 * 1024 * 1024;
const lookMs = 5_000;

/** Returns why the address cannot be used, instead of listening. */
export async function listenForClients(
  options: ClientListenOptions,
): Promise<OpenDoor | Exclude<Taking, { release(): void }>> {
  const { place, secret } = options;
  const clients = new Map<Socket, ClientService>();
  let taking: BoundAddress | undefined;
  let closed = false;

  const receive = async (socket: Socket) => {
    socket.on('error', () => {});
    const nonce = makeNonce();
    socket.write(toFirstLine({ nonce }));
    const line = await readLine(socket, patienceMs);
    const hello = line === undefined ? undefined : parseHello(line);
    // A client that comes too late finds no daemon here, and looks for the next one.
    if (hello === undefined || closed) return void socket.destroy();
    const nonces = { daemon: nonce, shim: hello.nonce };
    if (!isProof(hello.proof, prove(secret, 'shim', nonces))) return refuse(socket, 'the secret is wrong');
    const { want, goesOn, question, nonce: _nonce, proof: _proof, ...wishes } = hello;
    const plan = want === 'attach' ? options.plan(wishes) : { notes: [] };
    const proof = prove(secret, 'daemon', nonces);
    if ('refused' in plan) return refuse(socket, plan.refused, proof);
    const own = { proof, clients: clients.size };
    socket.write(toFirstLine({ ...options.status(), ...own, ...plan } satisfies Greeting));
    const isClient = want === 'attach' || want === 'call';
    if (isClient) admit(socket, { wishes, wholeResults: want === 'call' }, goesOn);
    // The client that asked for the end sees it: the connection lasts as long as this process.
    if (want === 'stop') options.onStop();
    if (want === 'reload') options.onReload();
    if (!isClient) socket.on('end', () => socket.destroy()).resume();
    if (want === 'view' && question !== undefined) await showView(socket, question);
  };

  const showView = async (socket: Socket, question: ViewQuestion) => {
    const view = await options.view(question).catch(() => undefined);
    socket.end(view === undefined ? '' : toFirstLine(view));
  };

  const admit = (socket: Socket, wanted: Pick<Served, 'wishes' | 'wholeResults'>, goesOn: boolean) => {
    const input = openClientInput(socket, { goesOn, onAbandoned: () => socket.destroy() });
    const service = options.serve({ input, output: socket, ...wanted });
    clients.set(socket, service);
    options.onClient();
    holdBack(socket);
    void service.done.then(() => {
      service.close();
      endInOrder(socket);
    });
    socket.once('close', () => {
      service.close();
      clients.delete(socket);
      if (clients.size === 0) options.onAlone({ reachable: taking?.isOurs() === true });
    });
  };

  const dropClogged = () => {
    for (const socket of clients.keys()) {
      if (socket.writableLength <= maxWaitingBytes) continue;
      options.onClogged();
      socket.destroy();
    }
  };

  const server = createServer({ allowHalfOpen: true }, (socket) => void receive(socket));
  const taken = await bindAddress(server, place, secret);
  if (!('release' in taken)) {
    server.close();
    return taken;
  }
  taking = taken;
  server.on('error', () => {});
  const looking = setInterval(dropClogged, lookMs);
  return {
    async close() {
      closed = true;
      clearInterval(looking);
      taken.release();
      server.close();
      const all = [...clients];
      await Promise.all(all.map(([socket, service]) => end(socket, service)));
    },
  };
}

/** A client that has proven that it knows the secret gets the same proof back. */
function refuse(socket: Socket, refused: string, proof?: string): void {
  socket.end(toFirstLine({ refused, ...defined({ proof }) }), () => socket.destroy());
}

/** Input from a client is paused while the client does not read. */
function holdBack(socket: Socket): void {
  socket.on('data', () => {
    if (!socket.writableNeedDrain || socket.isPaused()) return;
    socket.pause();
    socket.once('drain', () => socket.resume());
  });
}

/** The mark tells this from the end of a process that was killed. */
function endInOrder(socket: Socket): void {
  if (!socket.writableEnded) socket.end(endMark);
}

function end(socket: Socket, service: ClientService): Promise<void> {
  return new Promise((resolve) => {
    service.close();
    const timer = setTimeout(() => socket.destroy(), closeMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    if (socket.destroyed) resolve();
    endInOrder(socket);
  });
}
