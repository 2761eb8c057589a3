/**
 * Reaches a server and shakes hands with it. A server that dies of the era probe is started once more without it and
 * remembered, so that old servers work and pay only once.
 */
import type { Clock } from '../base/clock.ts';
import { WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { ServerDefinition } from '../config/config.ts';
import type { Limits } from '../config/schema-limits.ts';
import type { Carrier } from './carrier.ts';
import type { Company } from './company.ts';
import { connectStdio, type StartLocal } from './connect-stdio.ts';
import type { Connection, ConnectionEvents } from './connection.ts';
import type { Era, Identity } from './edge.ts';
import type { Credentials } from './http/credentials.ts';
import type { ProcessListener } from './running/keep-record.ts';
import type { Verdicts } from './verdicts.ts';

export interface ConnectOptions {
  readonly definition: ServerDefinition;
  readonly identity: Identity;
  /** What the client can do for the server, as far as that is said before any call. */
  readonly declared: JsonObject;
  readonly company: Company;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly verdicts: Verdicts;
  /** Instead of a process of the operating system. */
  readonly startLocal?: StartLocal | undefined;
  /** Is told which processes there are. */
  readonly processes?: ProcessListener | undefined;
  /** For servers reached by URL that want more than configured headers. */
  readonly credentials?: Credentials | undefined;
  readonly events: ConnectionEvents & {
    /** The connection has ended by itself, after it had been established. */
    onLost(failure: WorkbenchError): void;
    onNoise(line: string): void;
  };
}

/** A connection and what carries it. */
export interface Connected {
  readonly connection: Connection;
  readonly carrier: Carrier;
}

export interface Attempt {
  readonly connected: Promise<Connected>;
  /** Ends the connection, whatever stage it is in. */
  stop(): Promise<void>;
  stderrTail(): string[];
}

export function connect(options: ConnectOptions): Attempt {
  const { definition, verdicts, log } = options;
  let carrier: Carrier | undefined;
  let stopped = false;
  const onCarrier = (value: Carrier) => {
    carrier = value;
    if (stopped) void value.stop();
  };
  const begin = async (expected: Era | undefined): Promise<Connected> => {
    const { name, transport, disabled } = definition;
    if (disabled) throw new WorkbenchError('WB1016', `Server '${name}' is disabled in the configuration.`);
    if (transport.kind === 'stdio') return connectStdio(transport, { ...options, expected, onCarrier });
    // Loaded when the first such server is used: many configurations have none.
    const { connectHttp } = await import('./http/connect-http.ts');
    return connectHttp(transport, { ...options, expected, onCarrier });
  };

  const expected = verdicts.find(definition);
  const connected = begin(expected).catch(async (error: unknown) => {
    const diedOfProbe =
      expected === undefined && !stopped && error instanceof WorkbenchError && error.code === 'WB1004';
    if (!diedOfProbe) throw error;
    log.info('server ended at the era probe, starting it again without', {});
    const second = await begin('legacy');
    verdicts.rememberLegacy(definition);
    return second;
  });
  return {
    connected,
    async stop() {
      stopped = true;
      await carrier?.stop();
    },
    stderrTail: () => carrier?.stderrTail() ?? [],
  };
}
