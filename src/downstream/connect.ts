/**
 * Starts a server and shakes hands with it. A server that dies of the era probe is started once more without it and
 * remembered, so that old servers work and pay only once.
 */
import { type Clock, within } from '../base/clock.ts';
import { WorkbenchError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { ServerDefinition, StdioTransport } from '../config/config.ts';
import { answerServer, Connection, type ConnectionEvents } from './connection.ts';
import type { Era, Identity } from './edge.ts';
import { toExitFailure } from './failure.ts';
import { resolveLaunch } from './launch.ts';
import { negotiate } from './negotiate.ts';
import { Peer } from './peer.ts';
import { type ServerProcess, startProcess } from './process.ts';
import type { Verdicts } from './verdicts.ts';

export const maxMessageBytes = 64 * 1024 * 1024;
const probeSilenceMs = 3_000;

export interface ConnectOptions {
  readonly definition: ServerDefinition;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly verdicts: Verdicts;
  readonly events: ConnectionEvents & {
    /** The connection has ended by itself, after it had been established. */
    onLost(failure: WorkbenchError): void;
    onNoise(line: string): void;
  };
}

/** A connection and the process that carries it. */
export interface Connected {
  readonly connection: Connection;
  readonly process: ServerProcess;
}

export interface Attempt {
  readonly connected: Promise<Connected>;
  /** Ends the process, whatever stage it is in. */
  stop(): Promise<void>;
  stderrTail(): string[];
}

export function connect(options: ConnectOptions): Attempt {
  let process: ServerProcess | undefined;
  let stopped = false;
  const begin = async (expected: Era | undefined): Promise<Connected> => {
    const { definition } = options;
    if (definition.disabled)
      throw new WorkbenchError('WB1016', `Server '${definition.name}' is disabled in the configuration.`);
    if (definition.transport.kind !== 'stdio') {
      throw new WorkbenchError(
        'WB1013',
        `Server '${definition.name}' is reached by a URL; this version starts local processes only.`,
      );
    }
    return startStdio(definition.transport, expected, options, (value) => {
      process = value;
      if (stopped) void value.stop();
    });
  };
  const expected = options.verdicts.find(options.definition);
  const connected = begin(expected).catch(async (error: unknown) => {
    const diedOfProbe =
      expected === undefined && !stopped && error instanceof WorkbenchError && error.code === 'WB1004';
    if (!diedOfProbe) throw error;
    options.log.info('server ended at the era probe, starting it again without', {});
    const second = await begin('legacy');
    options.verdicts.rememberLegacy(options.definition);
    return second;
  });
  return {
    connected,
    async stop() {
      stopped = true;
      await process?.stop();
    },
    stderrTail: () => process?.stderrTail() ?? [],
  };
}

async function startStdio(
  transport: StdioTransport,
  expected: Era | undefined,
  options: ConnectOptions,
  onProcess: (process: ServerProcess) => void,
): Promise<Connected> {
  const { definition, clock, log, events } = options;
  let connection: Connection | undefined;
  const peer = new Peer({
    send: (line) => process.send(line),
    onNotification: (method, params) => connection?.notified(method, params),
    onRequest: answerServer,
    onNoise: events.onNoise,
  });

  const launch = await resolveLaunch(transport);
  if (launch.from === 'login shell' || launch.from === 'known folder')
    log.info('command found outside PATH', { command: launch.command, from: launch.from });
  const process = await startProcess(
    { ...launch, maxLineBytes: maxMessageBytes },
    {
      onLine: (line) => peer.receive(line),
      onOversize: (bytes, head) =>
        peer.lose(
          head,
          new WorkbenchError(
            'WB1012',
            `Server '${definition.name}' sent a message of ${bytes} bytes; the limit is ${maxMessageBytes}.`,
          ),
        ),
      onStderr: (line) => log.info('stderr', { line }),
      onExit: (exit) => {
        const failure = toExitFailure(definition.name, exit, {
          established: connection !== undefined,
          stderr: process.stderrTail().map(options.redactor.hide),
        });
        peer.fail(failure);
        if (connection !== undefined) events.onLost(failure);
      },
    },
  );
  onProcess(process);

  const negotiated = negotiate(peer, {
    clock,
    identity: options.identity,
    expected,
    silenceMs: probeSilenceMs,
    onSilent: () => options.verdicts.rememberLegacy(definition),
  });
  try {
    const edge = await within(clock, definition.startTimeoutMs, negotiated);
    if (edge === undefined) {
      throw new WorkbenchError(
        'WB1005',
        `Server '${definition.name}' did not answer the handshake within ${definition.startTimeoutMs / 1000} s.`,
      );
    }
    connection = new Connection({ edge, peer, definition, clock, log, events });
    return { connection, process };
  } catch (error) {
    negotiated.catch(() => {});
    await process.stop();
    throw error;
  }
}
