/** `limits` of the file: how much clients and servers may take before they are told no. Part of schema.ts. */
import { integer, object } from './shape.ts';

const kib = 1_024;
const mib = 1_024 * kib;

export const limitsShape = object(
  'limits',
  {
    messageBytes: integer({
      min: kib,
      max: 256 * mib,
      default: 64 * mib,
      doc: 'Largest message of a server. A larger one is thrown away: its call gets an error, what follows is read as usual.',
    }),
    messageValues: integer({
      min: kib,
      max: 100_000_000,
      default: 2_000_000,
      doc: 'Values in one message of a server: every member counts twice, for its name and its value, every element once. A message with more is not read: its call gets an error.',
    }),
    requestBytes: integer({
      min: kib,
      max: 256 * mib,
      default: 8 * mib,
      doc: 'Largest message of a client on a pipe, `attach` included. A larger one is thrown away: its request gets an error, what follows is read as usual. Bodies of HTTP requests: `http.maxBodyBytes`.',
    }),
    requestValues: integer({
      min: kib,
      max: 100_000_000,
      default: 50_000,
      doc: 'Values in one message of a client, on a pipe or over HTTP, counted as with `messageValues`. One with more gets an error, over HTTP with status 413. So does a batch of more than 100 messages.',
    }),
    requestsPerClient: integer({
      min: 1,
      max: 1_000_000,
      default: 1_024,
      doc: 'Requests of one client that are not answered yet: of a pipe, of an HTTP session, or of one identity where there are no sessions. One more is answered at once with -32000 "busy".',
    }),
    callsPerServer: integer({
      min: 1,
      max: 1_000_000,
      default: 1_024,
      doc: 'Calls that one server has not answered yet. One more is answered at once with -32000 "busy"; over HTTP with status 503 and `Retry-After`.',
    }),
    notificationsPerSecond: integer({
      min: 1,
      max: 1_000_000,
      default: 200,
      doc: 'Notifications of one kind (progress of one call, log messages, changes of resources, others) that are passed on for one server, after 1,000 at once and 100 more with every call. More are left out and counted; the newest progress of a call is always told.',
    }),
    pendingBytes: integer({
      min: 256 * kib,
      max: 1_024 * mib,
      default: 64 * mib,
      doc: 'What may wait for somebody who does not read. A client, on its pipe or on one event stream: over half of it progress and log messages are left out and counted, answers never; over all of it, when it takes nothing for 10 s, or over four times as much the client counts as gone, or the stream is cut. A server on a pipe: further calls are answered at once with -32000 "busy" until it reads again.',
    }),
    listPages: integer({ min: 1, max: 10_000, default: 100, doc: 'Pages that are read of one list of a server.' }),
    listItems: integer({
      min: 1,
      max: 100_000,
      default: 5_000,
      doc: 'Entries that are used of one list of a server: tools, prompts, resources or resource templates.',
    }),
    listMs: integer({
      min: 1,
      max: 600_000,
      default: 10_000,
      doc: 'How long a server may take for all pages of one list. What came before is used.',
    }),
    schemaBytes: integer({
      min: 64,
      max: 64 * mib,
      default: mib,
      doc: 'Largest schema of a tool, written as JSON. A tool over it is left out, with a note.',
    }),
    schemaDepth: integer({ min: 1, max: 100, default: 64, doc: 'How deep a schema of a tool may be nested.' }),
    stderrBytes: integer({
      min: kib,
      max: 16 * mib,
      default: 64 * kib,
      doc: 'How much of what a server writes on stderr is kept to explain a failure: the last lines, each up to 4 KiB.',
    }),
    httpConnections: integer({
      min: 1,
      max: 65_536,
      default: 1_024,
      doc: 'Connections to `serve --http`. One more takes the place of the oldest that has not shown a token, or on which nothing happens. This and what follows: over it the answer is status 503 with `Retry-After`.',
    }),
    httpSessions: integer({
      min: 1,
      max: 65_536,
      default: 2_000,
      doc: 'Sessions of clients of the handshake era. One more takes the place of an idle one of whoever has most.',
    }),
    httpSessionIdleMs: integer({
      min: 1_000,
      max: 2_147_483_647,
      default: 1_800_000,
      doc: 'How long a session lasts in which nothing happens.',
    }),
    httpStreams: integer({
      min: 1,
      max: 65_536,
      default: 512,
      doc: 'Event streams that are open at once. One identity gets no more when it has seven times as many as are left.',
    }),
    httpStreamsPerSession: integer({
      min: 1,
      max: 1_024,
      default: 4,
      doc: 'Those of one session that are not the answer to a request.',
    }),
  },
  { doc: 'How much clients and servers may take. Who goes over a limit is told so; nobody else notices.' },
);

export type Limits = Readonly<Record<keyof (typeof limitsShape)['members'], number>>;

export const defaultLimits: Limits = fillLimits((key) => limitsShape.members[key].default);

/** One number for each limit. */
export function fillLimits(read: (key: keyof Limits) => number): Limits {
  const keys = Object.keys(limitsShape.members) as (keyof Limits)[];
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<keyof Limits, number>;
}
