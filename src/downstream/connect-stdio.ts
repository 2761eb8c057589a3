/** A server as a local process: started, spoken to over its pipes, and told apart from a server that only died. */
import { WorkbenchError } from '../base/errors.ts';
import type { StdioTransport } from '../config/config.ts';
import { refuseToAsk } from './asker.ts';
import type { Carrier } from './carrier.ts';
import type { Connected, ConnectOptions } from './connect.ts';
import { Connection } from './connection.ts';
import type { Era } from './edge.ts';
import { toExitFailure } from './failure.ts';
import { shakeHands } from './handshake.ts';
import { resolveLaunch } from './launch.ts';
import { createPace, type Pace } from './pace.ts';
import { Peer } from './peer.ts';
import { type ProcessHandlers, type ServerProcess, startProcess } from './process.ts';

export interface StdioOptions extends ConnectOptions {
  readonly expected: Era | undefined;
  /** Told as soon as there is something to stop. */
  onCarrier(carrier: Carrier): void;
}

export async function connectStdio(transport: StdioTransport, options: StdioOptions): Promise<Connected> {
  const { definition, log, events, redactor, limits } = options;
  const pace = createPace(options.clock);
  let connection: Connection | undefined;
  const peer = new Peer({
    server: definition.name,
    maxValues: limits.messageValues,
    send({ line, method }) {
      // A server that asks and does not read could have any number of answers wait for it. All else we send is limited by calls.
      if (method !== undefined || process.waiting <= limits.pendingBytes) process.send(line);
      else log.debug('answer not sent: the server does not read', { waitingBytes: process.waiting });
    },
    onNotification: (method, params, stream) => connection?.notified(method, params, stream),
    onRequest: (...request) => (connection?.asked ?? refuseToAsk)(...request),
    onNoise: events.onNoise,
    refuses: (method) => connection?.refuses(method) === true,
    onUnasked: pace.heard,
  });

  const start = options.startLocal ?? ((local, handlers) => startLocal(local, { ...options, pace }, handlers));
  const process = await start(transport, {
    onLine: (line) => peer.receive(line),
    onOversize: (bytes, head, tail) => peer.lose(head, tooLarge(definition.name, bytes, limits.messageBytes), tail),
    onStderr: (line) => log.info('stderr', { line }),
    onExit: (exit) => {
      onEnded?.();
      const failure = toExitFailure(definition.name, exit, {
        established: connection !== undefined,
        calling: connection?.calling === true,
        stderr: process.stderrTail().map(redactor.hide),
      });
      peer.fail(failure);
      if (connection !== undefined) events.onLost(failure);
    },
  });
  const onEnded = options.processes?.started(definition.name, process.pid);
  options.onCarrier(process);
  try {
    const edge = await shakeHands(peer, { ...options, silence: 'is old' });
    connection = new Connection({ ...options, edge, peer, waiting: () => process.waiting });
    return { connection, carrier: process };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

/** How a local server is started, and what it says handed on: the border between us and the operating system. */
export type StartLocal = (transport: StdioTransport, handlers: ProcessHandlers) => Promise<ServerProcess>;

async function startLocal(
  transport: StdioTransport,
  { log, limits, chain, pace }: Pick<ConnectOptions, 'log' | 'limits' | 'chain'> & { readonly pace: Pace },
  handlers: ProcessHandlers,
): Promise<ServerProcess> {
  // What is being answered goes out first: a process takes milliseconds to start, in which nothing else happens here.
  await new Promise((resolve) => setImmediate(resolve));
  const launch = await resolveLaunch(transport, chain?.steps);
  if (launch.from === 'login shell' || launch.from === 'known folder')
    log.info('command found outside PATH', { command: launch.command, from: launch.from });
  const { messageBytes: maxLineBytes, stderrBytes: maxTailBytes } = limits;
  return startProcess({ ...launch, maxLineBytes, maxTailBytes, pace }, handlers);
}

function tooLarge(server: string, bytes: number, limit: number): WorkbenchError {
  return new WorkbenchError('WB1012', `Server '${server}' sent a message of ${bytes} bytes; the limit is ${limit}.`);
}
