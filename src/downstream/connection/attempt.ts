/** One attempt to connect to a server: what the connection is for, and what comes of it. */
import type { WorkbenchError } from '../../base/errors/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { Era } from '../era/edge.ts';
import type { Company } from '../questions/company.ts';
import type { Transport } from '../rpc/transport.ts';
import type { Connection, ConnectionEvents } from './connection.ts';
import type { ServerContext } from './server-context.ts';

/** What a connection is made for. */
export interface ConnectionUse {
  /** What the client can do for the server, as far as the server is told before any call. */
  readonly declared: JsonObject;
  readonly company: Company;
  readonly events: ConnectionEvents & {
    /** An established connection has ended by itself. */
    onLost(failure: WorkbenchError): void;
    /** The server wrote a line that is not a message. */
    onNoise(line: string): void;
  };
}

/** One try over one transport. An attempt makes a second one when the server dies of the era probe. */
export interface ConnectTry {
  readonly context: ServerContext;
  readonly use: ConnectionUse;
  /** The era that the server is known to speak; it is probed where that is not known. */
  readonly expected: Era | undefined;
  /** Called as soon as there is something to stop. */
  onCarrier(carrier: Transport): void;
}

/** A connection and what carries it. */
export interface Connected {
  readonly connection: Connection;
  readonly carrier: Transport;
}

export interface Attempt {
  readonly connected: Promise<Connected>;
  /** What the server is told that its client can do. */
  readonly declared: JsonObject;
  /** Ends the connection in any stage. */
  stop(): Promise<void>;
  stderrTail(): string[];
}
