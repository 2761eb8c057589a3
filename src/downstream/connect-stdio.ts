/** A server as a local process: started, spoken to over its pipes, and told apart from a server that only died. */
import { WorkbenchError } from '../base/errors.ts';
import type { StdioTransport } from '../config/config.ts';
import type { Carrier } from './carrier.ts';
import type { Connected, ConnectOptions } from './connect.ts';
import { answerServer, Connection } from './connection.ts';
import type { Era } from './edge.ts';
import { toExitFailure } from './failure.ts';
import { shakeHands } from './handshake.ts';
import { resolveLaunch } from './launch.ts';
import { Peer } from './peer.ts';
import { startProcess } from './process.ts';

export interface StdioOptions extends ConnectOptions {
  readonly expected: Era | undefined;
  /** Told as soon as there is something to stop. */
  onCarrier(carrier: Carrier): void;
}

export async function connectStdio(transport: StdioTransport, options: StdioOptions): Promise<Connected> {
  const { definition, log, events, redactor, limits } = options;
  let connection: Connection | undefined;
  const peer = new Peer({
    send: ({ line }) => process.send(line),
    onNotification: (method, params, stream) => connection?.notified(method, params, stream),
    onRequest: answerServer,
    onNoise: events.onNoise,
  });

  const launch = await resolveLaunch(transport);
  if (launch.from === 'login shell' || launch.from === 'known folder') {
    log.info('command found outside PATH', { command: launch.command, from: launch.from });
  }
  const process = await startProcess(
    { ...launch, maxLineBytes: limits.messageBytes, maxTailBytes: limits.stderrBytes },
    {
      onLine: (line) => peer.receive(line),
      onOversize: (bytes, head) => peer.lose(head, tooLarge(definition.name, bytes, limits.messageBytes)),
      onStderr: (line) => log.info('stderr', { line }),
      onExit: (exit) => {
        onEnded?.();
        const failure = toExitFailure(definition.name, exit, {
          established: connection !== undefined,
          stderr: process.stderrTail().map(redactor.hide),
        });
        peer.fail(failure);
        if (connection !== undefined) events.onLost(failure);
      },
    },
  );
  const onEnded = options.processes?.started(definition.name, process.pid);
  options.onCarrier(process);
  try {
    const edge = await shakeHands(peer, { ...options, silence: 'is old' });
    connection = new Connection({ ...options, edge, peer });
    return { connection, carrier: process };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

function tooLarge(server: string, bytes: number, limit: number): WorkbenchError {
  return new WorkbenchError('WB1012', `Server '${server}' sent a message of ${bytes} bytes; the limit is ${limit}.`);
}
