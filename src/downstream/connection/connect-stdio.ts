/** Connects to a server that is a local process: starts it, speaks to it over its pipes, and says why it ended. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import type { StdioTransport } from '../../config/model/config.ts';
import { toExitFailure } from '../process/failure.ts';
import { resolveLaunch } from '../process/launch.ts';
import { type ProcessHandlers, type ServerProcess, startProcess } from '../process/process.ts';
import { createReadThrottle, type ReadThrottle } from '../rpc/read-throttle.ts';
import { RpcPeer } from '../rpc/rpc-peer.ts';
import type { Connected, ConnectTry } from './attempt.ts';
import { Connection } from './connection.ts';
import { beforeHandshake, shakeHands } from './handshake.ts';
import type { ServerContext } from './server-context.ts';

export async function connectStdio(transport: StdioTransport, once: ConnectTry): Promise<Connected> {
  const { context, use, expected, onCarrier } = once;
  const { definition, log, redactor, limits } = context;
  const { declared, company, events } = use;
  const pace = createReadThrottle(context.clock);
  let connection: Connection | undefined;
  const peer = new RpcPeer(
    {
      server: definition.name,
      maxValues: limits.messageValues,
      send({ line, method }) {
        // A server that asks and does not read could have any number of answers wait for it. Calls limit all else we send.
        if (method !== undefined || server.waiting <= limits.pendingBytes) server.send(line);
        else log.debug('answer not sent: the server does not read', { waitingBytes: server.waiting });
      },
      onNoise: events.onNoise,
      onUnasked: pace.heard,
    },
    beforeHandshake,
  );

  const start = context.startLocal ?? ((...given) => startLocal(context, pace, ...given));
  const server = await start(transport, {
    onLine: (line) => peer.receive(line),
    onOversize: (bytes, head, tail) => peer.lose(head, tooLarge(definition.name, bytes, limits.messageBytes), tail),
    onStderr: (line) => log.info('stderr', { line }),
    onExit: (exit) => {
      onEnded?.();
      const failure = toExitFailure(definition.name, exit, {
        established: connection !== undefined,
        calling: connection?.calling === true,
        stderr: server.stderrTail().map(redactor.hide),
      });
      peer.fail(failure);
      if (connection !== undefined) events.onLost(failure);
    },
  });
  const onEnded = context.processes?.started(definition.name, server.pid);
  onCarrier(server);
  try {
    const edge = await shakeHands(peer, context, { declared, expected, silence: 'is old' });
    connection = new Connection(context, { edge, peer, company, events, waiting: () => server.waiting });
    peer.attach(connection);
    return { connection, carrier: server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startLocal(
  { log, limits, chain }: ServerContext,
  pace: ReadThrottle,
  transport: StdioTransport,
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
