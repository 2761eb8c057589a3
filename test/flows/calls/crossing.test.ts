// @module-tag chance
import { Agent } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { metaKey, withEnvelope } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { readExtent } from '../../support/selection.ts';
import { fixture } from '../../support/servers.ts';
import { bridgeLegacy, bridgeModern } from '../bridged-servers.ts';
import { connectRawLegacyHttp, connectRawModernHttp, headersOf } from '../clients/transport-raw.ts';
import { exchange, openStream } from '../http-exchange.ts';
import { type HttpProgram, startHttpProgram } from '../http-program.ts';
import { type Era, linesOf } from '../support.ts';

const all = readExtent() === 'most' ? 400 : 2_000;
/** How many calls a client has under way at once. */
const width = 10;
const servers = ['stdio-legacy', 'stdio-modern', 'http-legacy', 'http-modern'] as const;
type ServerName = (typeof servers)[number];

/** How many clients, their era, and the server that they share. */
const runs: [number, Era, ServerName][] = [
  [2, 'legacy', 'stdio-legacy'],
  [2, 'modern', 'stdio-modern'],
  [8, 'legacy', 'http-legacy'],
  [8, 'modern', 'http-modern'],
  [8, 'legacy', 'stdio-modern'],
  [8, 'modern', 'stdio-legacy'],
];

interface Caller {
  /** Everything that came on its general stream. */
  readonly general: JsonObject[];
  readonly headers: Record<string, string>;
  readonly agent: Agent;
}

/** What one call is, and what came on its own stream. */
interface Spoken {
  readonly who: number;
  readonly tool: 'echo' | 'progress_burst' | 'log' | 'slow';
  readonly id: number;
  readonly nonce: string;
  readonly args: JsonObject;
  readonly messages: readonly JsonObject[];
}

/** Ids and progress tokens are the same for every client; nonces, sizes and numbers of steps are not. */
function planCall(who: number, id: number): Omit<Spoken, 'messages'> {
  const nonce = `client ${who} call ${id} ${Math.random()}`;
  switch (id % 10) {
    case 1:
    case 4:
      return { who, tool: 'progress_burst', id, nonce, args: { count: 3 + who } };
    case 2:
    case 7:
      return { who, tool: 'log', id, nonce, args: { nonce } };
    case 5:
      // Given up at its first step.
      return { who, tool: 'slow', id, nonce, args: { ms: 60_000, steps: 3_000 + who } };
    default:
      return {
        who,
        tool: 'echo',
        id,
        nonce,
        args: { nonce, pad: 'x'.repeat([0, 200, 5_000, 70_000][(id >> 3) % 4] ?? 0) },
      };
  }
}

describe('clients that use the same ids and progress tokens at the same time', () => {
  let dir: string;
  let place: HttpProgram;

  beforeAll(async () => {
    dir = tempDir();
    const options = (name: ServerName) => ({ CANCEL_LOG: join(dir, name) });
    const mcpServers: Record<ServerName, object> = {
      'stdio-legacy': fixture('raw-legacy', options('stdio-legacy')),
      'stdio-modern': fixture('raw-modern', options('stdio-modern')),
      'http-legacy': await bridgeLegacy(options('http-legacy')),
      'http-modern': await bridgeModern(options('http-modern')),
    };
    place = await startHttpProgram({ mcpServers });
    // A server that gets ready later changes the list, which everybody is told.
    const { names } = await connectRawModernHttp(place);
    await eventually(async () => {
      const listed = await names();
      return servers.every((server) => listed.includes(`${server}:echo`));
    });
  });

  async function connect(era: Era): Promise<Caller> {
    const { url, token } = place;
    const agent = new Agent({ keepAlive: true });
    atEnd(() => agent.destroy());
    const general: JsonObject[] = [];
    if (era === 'modern') return { general, agent, headers: headersOf(token) };
    const post = (headers: Record<string, string>, method: string, params: JsonObject, id?: number) =>
      exchange(url, { headers, body: { jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) } }).ended;
    const clientInfo = { name: 'the same name', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { headers: given } = await post(headersOf(token), 'initialize', params, 0);
    const session = { 'mcp-session-id': String(given['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
    const headers = { ...headersOf(token), ...session };
    await post(headers, 'notifications/initialized', {});
    await post(headers, 'logging/setLevel', { level: 'debug' }, 0);
    await openStream(url, { headers, onMessage: (message) => general.push(message) }).opened;
    return { general, headers, agent };
  }

  async function speak(era: Era, server: ServerName, caller: Caller, plan: Omit<Spoken, 'messages'>): Promise<Spoken> {
    const { agent } = caller;
    const { who, tool, id, args } = plan;
    const envelope = { progressToken: id, logLevel: 'debug' };
    const name = `${server}:${tool}`;
    const given = { name, arguments: args };
    const params =
      era === 'modern'
        ? withEnvelope(
            { ...given, _meta: { [metaKey('clientInfo')]: { name: `client ${who}`, version: '1' } } },
            envelope,
          )
        : { ...given, _meta: { progressToken: id } };
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
    const headers = era === 'modern' ? { ...caller.headers, ...modern } : caller.headers;
    const messages: JsonObject[] = [];
    const call = exchange(place.url, {
      headers,
      agent,
      body: { jsonrpc: '2.0', id, method: 'tools/call', params },
      onMessage(message) {
        messages.push(message);
        // A note of the Workbench may come before the server has the call: such a call would be given up without the server.
        const steps = messages.filter(({ method }) => method === 'notifications/progress');
        if (tool !== 'slow' || steps.length !== 1 || steps[0] !== message) return;
        if (era === 'modern') call.hangUp();
        else {
          const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
          void exchange(place.url, { headers, agent, body });
        }
      },
    });
    await call.ended.catch((error: unknown) => {
      if (tool !== 'slow' || era === 'legacy') throw error;
    });
    return { ...plan, messages };
  }

  it.each(runs)(`never hear of each other: %i of the %s era, ${all} calls of %s`, async (count, era, server) => {
    const log = join(dir, server);
    const before = linesOf(log).length;
    const callers = await Promise.all(Array.from({ length: count }, () => connect(era)));
    // A client may have to have a session made at the server, or a copy of it, which is told when it takes long.
    await Promise.all(
      callers.map((caller, who) =>
        speak(era, server, caller, { who, tool: 'echo', id: 1_000_000, nonce: '', args: {} }),
      ),
    );
    const spoken = await Promise.all(
      callers.map(async (caller, who) => {
        const done: Spoken[] = [];
        let next = 1;
        const work = async () => {
          while (next <= all / count) done.push(await speak(era, server, caller, planCall(who, next++)));
        };
        await Promise.all(Array.from({ length: width }, work));
        return done;
      }),
    );
    expect(spoken.flat()).toHaveLength(all);
    const mine = spoken.map((calls) => new Set(calls.map(({ nonce }) => nonce)));
    for (const one of spoken.flat()) {
      // A pipe does not say which call a log message belongs to: it may come with another call of the client.
      const own = server.startsWith('stdio') ? mine[one.who] : new Set([one.nonce]);
      expectOwn(
        one,
        ({ logger, data }) =>
          (logger === `${server}/raw` && own?.has(String((data as JsonObject).nonce)) === true) ||
          // The Workbench itself, when it has found that clients cannot share this server.
          (logger === server && String(data).startsWith('You have a copy')),
      );
    }
    const logged = spoken.flat().flatMap(({ messages }) => messages.filter(({ method }) => method === logMethod));
    // Only a transport with a stream for each call says whose each log message is.
    if (server.startsWith('http')) expect(logged).toHaveLength((all / 10) * 2 * 8);
    const cancelled = spoken.flat().filter(({ tool }) => tool === 'slow').length;
    await eventually(() => expect(linesOf(log).length - before).toBe(cancelled), 15_000);
    expect(callers.flatMap(({ general }) => general)).toEqual([]);
  });

  it.each(['http-legacy', 'http-modern'])(
    'clients that use the same ids and progress tokens at the same time do not hear what %s logs for a call that another client has given up',
    async (server) => {
      const [ann, bob] = [await connectRawLegacyHttp(place), await connectRawLegacyHttp(place)];
      const abort = new AbortController();
      for (const each of [ann, bob]) await each.call(`${server}:echo`, {}, { logLevel: 'debug' });
      const given = ann.call(`${server}:log`, { nonce: 'of Ann', afterMs: 300 }, { signal: abort.signal });
      // Answered after that call was sent, so the server has it.
      await ann.call(`${server}:echo`);
      const bobs = bob.call(`${server}:slow`, { ms: 800 });
      abort.abort();
      await expect(given).rejects.toThrow();
      expect((await bobs).result).toMatchObject({ content: [{ text: 'done after 0 steps' }] });
      expect(bob.logs).toEqual([]);
    },
  );
});

const logMethod = 'notifications/message';

/** Everything on the stream of a call is its own, and the answer came once and last, or never when it was given up. */
function expectOwn({ who, tool, id, args, messages }: Spoken, mayLog: (log: JsonObject) => boolean): void {
  const paramsOf = (wanted: string) =>
    messages.filter(({ method }) => method === wanted).map(({ params }) => params as JsonObject);
  const answers = messages.filter(({ method }) => method === undefined);
  const [logs, progress] = [paramsOf(logMethod), paramsOf('notifications/progress')];
  expect(answers.length + logs.length + progress.length).toBe(messages.length);
  expect(logs.filter((log) => !mayLog(log))).toEqual([]);
  if (tool === 'slow') {
    expect(answers).toEqual([]);
    for (const each of progress) expect(each).toMatchObject({ progressToken: id, total: 3_000 + who });
    return;
  }
  expect(answers).toEqual([expect.objectContaining({ id, result: expect.anything() })]);
  expect(messages.at(-1)).toBe(answers[0]);
  const steps = tool === 'progress_burst' ? Array.from({ length: 3 + who }, (_, at) => at + 1) : [];
  expect(progress.map(({ progressToken, progress: step, total }) => [progressToken, step, total])).toEqual(
    steps.map((step) => [id, step, 3 + who]),
  );
  if (tool === 'echo') expect(answers[0]?.result).toMatchObject({ structuredContent: args });
}
