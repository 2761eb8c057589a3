// @module-tag large
import { beforeAll, describe } from 'vitest';
import type { Era } from '../flows/support.ts';
import { runCalls } from './call-table.ts';
import { allFail, answers, type Fault, fails } from './fault.ts';
import { startFaultyHttp } from './http-server.ts';
import { runTogether } from './table.ts';

/** What can go wrong with any request, and what is said of it. */
const anywhere: readonly Fault[] = [
  fails('is answered with status 500', /status 500/),
  fails('is answered with status 502 and a page', /status 502/),
  fails('is answered with status 503', /status 503/),
  fails('is answered with status 404', /status 404|lost its session/),
  fails('is answered with status 410', /status 410/),
  fails('is answered with status 405', /status 405/),
  fails('is answered with status 400', /status 400/),
  fails('is answered with status 401', /status 401/),
  fails('is answered with status 403', /status 403/),
  fails('is answered with status 407', /status 407/),
  fails('is answered with status 408', /status 408/),
  fails('is answered with status 429', /status 429/),
  fails('is answered with status 204', /status 204/),
  fails('is answered with status 202', /status 202/),
  fails('is answered with status 304', /status 304/),
  fails('is answered with status 999', /status 999/),
  fails('is redirected to another host', /elsewhere\.example/),
  fails('is redirected to another port', /127\.0\.0\.1:9/),
  fails('is redirected to itself', /more than 3 times/),
  fails('is redirected to nowhere', /without a valid address/),
  fails('is redirected to a file', /to another origin/),
  fails('is turned into a read', /status 303/),
  fails('is answered with a page', /text\/html instead of JSON/),
  fails('is answered with plain text', /text\/plain instead of JSON/),
  fails('is answered without a type', /no answer/),
  fails('is answered with an odd type', /WB1311/),
  ...allFail(/does not belong to the request/, [
    'is answered with nothing',
    'is answered with broken JSON',
    'is answered with a text',
    'is answered with an empty list',
    'is answered with another id',
    'is answered with garbage',
    'is answered deep',
  ]),
  ...allFail(/compressed answer/, [
    'is answered with gzip',
    'is answered with a gzip bomb',
    'is answered with gzip that is none',
  ]),
  ...allFail(/lost before its answer|broke/, [
    'is cut before the headers',
    'is cut inside the headers',
    'is reset before the headers',
    'is cut inside the body',
    'is reset inside the body',
    'is cut inside a chunk',
    'is answered with chunks that are none',
    'is answered with two lengths',
    'is answered with a length and chunks',
    'is answered with headers of 300 KB',
    'is answered with 5,000 headers',
    'is answered with a NUL in a header',
    'is answered in no HTTP',
    'is answered in TLS',
    'is answered with binary garbage for headers',
    'is answered with an event stream that ends',
    'is answered with an event stream of garbage',
    'is answered with events that are no messages',
  ]),
  ...allFail(/the limit/, ['is answered with 70 MB', 'is answered with an event of 70 MB']),
];

const without = [
  'is never answered',
  'is answered with half the headers',
  'is answered with half the body',
  'is answered with an event stream without end',
  'is answered with a stream of comments',
  'is answered a header at a time',
];

const places: readonly Fault[] = [
  fails('nobody listens', /refused the connection/),
  fails('no such host is', /cannot be resolved/),
  fails('TLS is not spoken', /does not speak TLS/),
];

function ofCalls(era: Era): Fault[] {
  const done = [
    ...['is answered byte by byte', 'is answered by events byte by byte', 'is answered on a stream that goes on'],
    ...['is answered twice', 'is answered twice on a stream', 'is answered after 50,000 progress events'],
    ...['is answered after 50,000 log events', 'is answered after 100,000 comments'],
    ...['is answered after questions to us', 'is answered with data over many lines', 'is answered with odd line ends'],
  ];
  return [
    ...done.map((name) => answers(name, /"text":"done"/)),
    answers('is answered with 10 MB', /xxxx/),
    ...allFail(/neither a result object nor an error/, ['is answered with null', 'is answered with an error of null']),
    fails('is answered with an error without a message', /error without a message/),
    // Sessions are of the handshake era.
    era === 'legacy' ? fails('loses its session', /session/) : answers('loses its session', /"text":"done"/),
  ];
}

describe('a fault on the network harms nobody else', () => {
  let port = 0;
  beforeAll(async () => {
    ({ port } = await startFaultyHttp());
  });
  const server = (era: Era, fault?: Fault) => ({
    url: `http://127.0.0.1:${port}/${era}${fault === undefined ? '' : `/${encodeURIComponent(fault.name)}`}`,
  });
  runTogether({ title: 'a server whose every request', eras: ['legacy'], server, faults: () => anywhere });
  runTogether({
    title: 'a server whose every request until the time limit',
    eras: ['legacy'],
    server,
    faults: () => allFail(/within 0\.4 s/, without, { settings: { startTimeoutMs: 400 } }),
  });
  runTogether({
    title: 'a server at a place where',
    eras: ['legacy'],
    server: (_era, { name }) => ({
      url: new Map([
        ['nobody listens', 'http://127.0.0.1:9/mcp'],
        ['no such host is', 'http://no-such-host.invalid/mcp'],
        ['TLS is not spoken', `https://127.0.0.1:${port}/legacy`],
      ]).get(name),
    }),
    faults: () => places,
  });
  runCalls({
    title: 'a server of which a call',
    timeoutMs: 10_000,
    server: (era) => server(era),
    faults: (era) => [...anywhere, ...ofCalls(era)],
  });
  runCalls({
    title: 'a server of which a call until the time limit',
    timeoutMs: 400,
    server: (era) => server(era),
    faults: () => allFail(/no answer within 0\.4 s/, without),
  });
});
