/** How much a client of the HTTP service may take, in bytes, time and number. */
import { defaultMaxValues } from '../conversation/message.ts';

export interface HttpLimits {
  readonly bodyBytes: number;
  /** Values and names of members in a body. */
  readonly bodyValues: number;
  readonly headerBytes: number;
  /** How many there may be. */
  readonly headers: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From there to the end of its body. */
  readonly bodyMs: number;
  /** How long a connection may stay without a request. */
  readonly idleMs: number;
  readonly connections: number;
  /** Event streams open at once. */
  readonly streams: number;
  /** Those of one session that are not the answer to a request: the general one and resumed ones. */
  readonly streamsPerSession: number;
  /** Sessions of handshake-era clients, those of the old HTTP+SSE transport included. */
  readonly sessions: number;
  readonly sessionIdleMs: number;
  readonly sessionMs: number;
  /** Requests of one session, or of one principal without sessions, that are not answered yet. */
  readonly requestsPerClient: number;
  /** What a session keeps so that a broken stream can be resumed. */
  readonly bufferedEvents: number;
  readonly bufferedBytes: number;
  /** What all sessions keep for that. */
  readonly bufferedInAll: number;
  /** What may wait on one stream for a client that does not read. */
  readonly pendingBytes: number;
  /** How long a client may take nothing of an answer that waits for it. */
  readonly stallMs: number;
  /** How often an open stream says that it is alive. */
  readonly keepAliveMs: number;
  /** How long requests that are open at the end may still take. */
  readonly drainMs: number;
}

const kib = 1024;
const mib = 1024 * kib;
const second = 1_000;
const minute = 60 * second;

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 8 * mib,
  bodyValues: defaultMaxValues,
  headerBytes: 16 * kib,
  headers: 200,
  headersMs: 10 * second,
  bodyMs: 30 * second,
  idleMs: 60 * second,
  connections: 1_024,
  streams: 512,
  streamsPerSession: 4,
  sessions: 2_000,
  sessionIdleMs: 30 * minute,
  sessionMs: 24 * 60 * minute,
  requestsPerClient: 1_024,
  bufferedEvents: 1_000,
  bufferedBytes: 2 * mib,
  bufferedInAll: 64 * mib,
  pendingBytes: 64 * mib,
  stallMs: 10 * second,
  keepAliveMs: 15 * second,
  drainMs: 8 * second,
};
