/** `limits` of the file: how much clients and servers may use before they are refused. Part of schema.ts. */
import { integer, object } from './schema-dsl.ts';

const kib = 1_024;
const mib = 1_024 * kib;

export const limitsShape = object(
  'limits',
  {
    messageBytes: integer({
      min: kib,
      max: 256 * mib,
      default: 64 * mib,
      doc: 'Largest message of a server. A larger one is discarded: its call gets an error, and later messages are read as usual.',
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
      doc: 'Largest message of a client on a pipe, `attach` included. A larger one is discarded: its request gets an error, and later messages are read as usual. For bodies of HTTP requests see `http.maxBodyBytes`.',
    }),
    requestValues: integer({
      min: kib,
      max: 100_000_000,
      default: 50_000,
      doc: 'Values in one message of a client, on a pipe or over HTTP, counted as for `messageValues`. A message with more gets an error, over HTTP with status 413. So does a batch of more than 100 messages.',
    }),
    requestsPerClient: integer({
      min: 1,
      max: 1_000_000,
      default: 1_024,
      doc: 'Unanswered requests of one client: of a pipe, of an HTTP session, or of one identity where there are no sessions. A further request is answered at once with -32000 "busy".',
    }),
    callsPerServer: integer({
      min: 1,
      max: 1_000_000,
      default: 1_024,
      doc: 'Calls that one server has not answered yet. A further call is answered at once with -32000 "busy"; over HTTP with status 503 and `Retry-After`.',
    }),
    notificationsPerSecond: integer({
      min: 1,
      max: 1_000_000,
      default: 200,
      doc: 'Notifications of one kind (progress of one call, log messages, changes of resources, others) that are passed on for one server, after 1,000 at once and 100 more with every call. Further ones are dropped and counted; the newest progress of a call is always passed on.',
    }),
    pendingBytes: integer({
      min: 256 * kib,
      max: 1_024 * mib,
      default: 64 * mib,
      doc: 'Bytes that may wait for a client or a server that does not read. For a client (its pipe, or one event stream): above half of this, progress and log messages are dropped and counted, answers never; above all of this, the client counts as gone (or the stream is cut) when it reads nothing for 10 s, and at once above four times this. For a server on a pipe: further calls are answered at once with -32000 "busy" until it reads again.',
    }),
    listPages: integer({
      min: 1,
      max: 10_000,
      default: 100,
      doc: 'Pages that the Workbench reads of one list of a server.',
    }),
    listItems: integer({
      min: 1,
      max: 100_000,
      default: 5_000,
      doc: 'Entries that the Workbench uses of one list of a server: tools, prompts, resources or resource templates.',
    }),
    listMs: integer({
      min: 1,
      max: 600_000,
      default: 10_000,
      doc: 'How long a server may take for all pages of one list. The pages that arrived in time are used.',
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
      doc: 'Connections to `serve --http`. A further one replaces the oldest connection that has not sent a token or that is idle. Above this limit and those below it, the answer is status 503 with `Retry-After`.',
    }),
    httpSessions: integer({
      min: 1,
      max: 65_536,
      default: 2_000,
      doc: 'Sessions of clients of the handshake era. A further one replaces an idle session of the identity that has most sessions.',
    }),
    httpSessionIdleMs: integer({
      min: 1_000,
      max: 2_147_483_647,
      default: 1_800_000,
      doc: 'How long an idle session lasts.',
    }),
    httpStreams: integer({
      min: 1,
      max: 65_536,
      default: 512,
      doc: 'Event streams that are open at once. An identity gets no further stream when it has seven times as many as are left.',
    }),
    httpStreamsPerSession: integer({
      min: 1,
      max: 1_024,
      default: 4,
      doc: 'Event streams of one session that are not the answer to a request.',
    }),
  },
  {
    doc: 'How much clients and servers may use. A client or server that goes over a limit gets an error; the others are not affected.',
  },
);

export type Limits = Readonly<Record<keyof (typeof limitsShape)['members'], number>>;

export const defaultLimits: Limits = fillLimits((key) => limitsShape.members[key].default);

/** One number for each limit. */
export function fillLimits(read: (key: keyof Limits) => number): Limits {
  const keys = Object.keys(limitsShape.members) as (keyof Limits)[];
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<keyof Limits, number>;
}
