// @module-tag large
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { bridgeLegacy, bridgeModern, bridgeSse } from '../bridged-servers.ts';
import { startHttpProgram } from '../http-program.ts';
import type { LineChildStart } from '../line-child.ts';
import { linesOf } from '../support.ts';
import type { HttpPlace, TransportClient } from './transport-client.ts';
import { connectRawLegacyHttp, connectRawModernHttp, connectRawSse, connectRawStdio } from './transport-raw.ts';
import {
  connectV1Http,
  connectV1Sse,
  connectV1Stdio,
  connectV2Http,
  connectV2Sse,
  connectV2Stdio,
} from './transport-sdk.ts';

interface Bench {
  /** A new program for each client. */
  readonly start: LineChildStart;
  readonly place: HttpPlace;
}
type Connect = (bench: Bench) => Promise<TransportClient>;

/** What carries the messages of the client, what the client is, and whether it loses nothing that was sent. */
const clients: [string, string, Connect, { raw?: boolean }][] = [
  ['stdio', 'SDK v1', ({ start }) => connectV1Stdio(start), {}],
  ['stdio', 'SDK v2 of the handshake era', ({ start }) => connectV2Stdio('legacy', start), {}],
  ['stdio', 'SDK v2 of the stateless era', ({ start }) => connectV2Stdio('modern', start), {}],
  ['stdio', 'raw client of the handshake era', ({ start }) => connectRawStdio('legacy', start), { raw: true }],
  ['stdio', 'raw client of the stateless era', ({ start }) => connectRawStdio('modern', start), { raw: true }],
  ['HTTP', 'SDK v1', ({ place }) => connectV1Http(place), {}],
  ['HTTP', 'SDK v2 of the handshake era', ({ place }) => connectV2Http('legacy', place), {}],
  ['HTTP', 'SDK v2 of the stateless era', ({ place }) => connectV2Http('modern', place), {}],
  ['HTTP', 'raw client of the handshake era', ({ place }) => connectRawLegacyHttp(place), { raw: true }],
  ['HTTP', 'raw client of the stateless era', ({ place }) => connectRawModernHttp(place), { raw: true }],
  ['old SSE', 'SDK v1', ({ place }) => connectV1Sse(place), {}],
  ['old SSE', 'SDK v2 of the handshake era', ({ place }) => connectV2Sse(place), {}],
  ['old SSE', 'raw client of the handshake era', ({ place }) => connectRawSse(place), { raw: true }],
];
const servers = ['stdio-legacy', 'stdio-modern', 'http-legacy', 'http-modern', 'old-sse'] as const;

/** Nothing says whose a log message of these is, so that clients who share one hear none. */
const withoutStreams = ['stdio-legacy', 'stdio-modern', 'old-sse'] as const;

/** One of each, each noting what was cancelled in a file of its name. */
async function startServers(dir: string): Promise<Record<(typeof servers)[number], object>> {
  const options = (name: string) => ({ CANCEL_LOG: join(dir, name) });
  return {
    'stdio-legacy': fixture('raw-legacy', options('stdio-legacy')),
    'stdio-modern': fixture('raw-modern', options('stdio-modern')),
    'http-legacy': await bridgeLegacy(options('http-legacy')),
    'http-modern': await bridgeModern(options('http-modern')),
    'old-sse': await bridgeSse(options('old-sse')),
  };
}

const textOf = (result: JsonObject | undefined) => (result?.content as JsonObject[] | undefined)?.[0]?.text;

describe.each(['stdio', 'HTTP', 'old SSE'])('over %s', (carrier) => {
  let dir: string;
  let place: HttpPlace;
  const newDir = () => {
    dir = tempDir();
    return dir;
  };

  beforeAll(async () => {
    if (carrier === 'stdio') return;
    const shared = await startServers(newDir());
    const own = Object.fromEntries(
      withoutStreams.map((server) => [`${server}-own`, { ...shared[server], sharing: 'perSession' }]),
    );
    const config = { mcpServers: { ...shared, ...own } };
    place = await startHttpProgram(config, { args: carrier === 'HTTP' ? [] : ['--sse'] });
  });

  const ofCarrier = clients.filter(([of]) => of === carrier);
  describe.each(ofCarrier.map(([, ...rest], index) => [...rest, index + 1] as const))(
    '%s',
    (_, connect, { raw }, nth) => {
      let client: TransportClient;

      beforeAll(async () => {
        const config = carrier === 'stdio' ? { mcpServers: await startServers(newDir()) } : {};
        const start = prepareProgram({ config });
        client = await connect({ start, place });
        // Each test may be the first: a server that is only starting would be told as progress.
        await client.names();
        return () => client.close();
      });

      describe.each(servers)('with the server %s', (server) => {
        const cancelled = () => linesOf(join(dir, server)).map((line) => (JSON.parse(line) as JsonObject).tool);

        it('lists its tools', async () => {
          const names = await client.names();
          expect(names).toEqual(expect.arrayContaining(['echo', 'slow', 'log'].map((name) => `${server}:${name}`)));
          expect(new Set(names).size).toBe(names.length);
        });

        it('gets a structured result as the server gave it', async () => {
          const args = { text: 'Grüße ☃', deep: [{ a: null }, 1.5] };
          const { result } = await client.call(`${server}:echo`, args);
          expect(result).toMatchObject({
            structuredContent: args,
            content: [{ type: 'text', text: JSON.stringify(args) }],
          });
        });

        it('hears the progress of its call', async () => {
          const heard: JsonObject[] = [];
          const onProgress = (params: JsonObject) => heard.push(params);
          if (raw === true) {
            const { result } = await client.call(`${server}:progress_burst`, { count: 120 }, { onProgress });
            expect(textOf(result)).toBe('burst of 120');
            expect(heard.map(({ progress }) => progress)).toEqual(Array.from({ length: 120 }, (_each, at) => at + 1));
          } else {
            // The SDKs may lose what they read together with the result; that any comes is seen where a call is given up.
            const { result } = await client.call(`${server}:slow`, { ms: 60, steps: 2 }, { onProgress });
            expect(textOf(result)).toBe('done after 2 steps');
            expect(heard.map(({ progress }) => progress)).toEqual([1, 2].slice(0, heard.length));
          }
        });

        it('hears what the server logs during its call, from the level on that it wants', async () => {
          const before = client.logs.length;
          const isShared = carrier !== 'stdio' && (withoutStreams as readonly string[]).includes(server);
          const name = isShared ? `${server}-own` : server;
          await client.call(`${name}:log`, {}, { logLevel: 'error' });
          const since = () => client.logs.slice(before);
          await eventually(() => since().length >= 4);
          expect(since().map(({ level, logger }) => [level, logger])).toEqual(
            ['error', 'critical', 'alert', 'emergency'].map((level) => [level, `${name}/raw`]),
          );
        });

        it('gives a call up, and the server hears of it', async () => {
          const before = cancelled().length;
          const abort = new AbortController();
          const heard: JsonObject[] = [];
          const onProgress = (params: JsonObject) => {
            heard.push(params);
            abort.abort();
          };
          const call = client.call(
            `${server}:slow`,
            { ms: 20_000, steps: 1_000 },
            { onProgress, signal: abort.signal },
          );
          await expect(call).rejects.toThrow();
          expect(heard[0]).toMatchObject({ progress: 1, total: 1_000, message: 'step 1 of 1000' });
          await eventually(() => expect(cancelled().slice(before)).toEqual(['slow']));
          expect(textOf((await client.call(`${server}:add`, { a: 1, b: 2 })).result)).toBe('3');
        });

        it('sees the failure of a tool as its result', async () => {
          const { result } = await client.call(`${server}:fail`, { message: 'out of paper' });
          expect(result).toMatchObject({ isError: true, content: [{ text: 'out of paper' }] });
        });

        it('gets an error of the server with its code and data, as far as its era allows', async () => {
          const { error } = await client.call(`${server}:boom`);
          const original = { code: -32077, message: 'boom', data: { why: 'boom' } };
          if (client.era === 'legacy') expect(error).toMatchObject(original);
          else expect(error).toMatchObject({ code: -32603, message: 'boom', data: { original } });
        });

        it('is told that a tool is unknown, with the code of its era', async () => {
          const { error } = await client.call(`${server}:no-such-tool`);
          expect(error?.code).toBe(client.era === 'legacy' ? -32601 : -32602);
          expect(error?.message).toContain(`Unknown tool '${server}:no-such-tool'`);
        });

        it('hears that the tools have changed, and sees the new one', async () => {
          let announcements = 0;
          await client.onToolsChanged(() => announcements++);
          // Each client of a program makes the list longer than the one before.
          await client.call(`${server}:grow`, { count: nth });
          await eventually(() => announcements > 0);
          expect(await client.names()).toContain(`${server}:extra_${nth}`);
        });
      });
    },
  );
});
