// @module-tag chance
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as startRequest } from 'node:http';
import { describe, expect as expectThat, it } from 'vitest';
import { encodeHeaderValue } from '../../src/base/call/header-value.ts';
import { findMember, findObject, type JsonObject } from '../../src/base/json/json.ts';
import { type Era, eras } from '../flows/support.ts';
import { createFakeFront, initialize, jsonHeaders, messagesOf, startService } from '../serve/http/support.ts';
import { findFault, parseLine } from '../support/wire-check.ts';
import { createClientGrammar } from './client-grammar.ts';
import { expect, findProblems } from './expected.ts';
import { createRandom, messages, seed } from './random.ts';
import { show } from './shrink.ts';

const bodyBytes = 100_000;
const atOnce = 32;
const limitMs = 10_000;

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** One POST on a connection that is kept. A stream that would go on for ever is left as soon as it has begun. */
function post(port: number, agent: Agent, { headers, body }: { headers: OutgoingHttpHeaders; body: Buffer }) {
  return new Promise<Reply>((resolve, reject) => {
    const sent = startRequest({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers });
    sent.setTimeout(limitMs, () => sent.destroy(new Error(`no answer within ${limitMs} ms`)));
    sent.on('error', reject);
    sent.on('response', (response: IncomingMessage) => {
      const { statusCode: status = 0 } = response;
      const type = response.headers['content-type'] ?? '';
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('subscriptions/acknowledged')) sent.destroy();
      });
      response.on('error', () => {});
      response.on('close', () => resolve({ status, type, text }));
    });
    sent.end(body);
  });
}

/** What the stateless era wants repeated in headers, as far as a header can hold it. */
function modernHeaders(body: Buffer): OutgoingHttpHeaders {
  const message = parseLine(body.toString('utf8')) ?? {};
  const method = findMember(message, 'method');
  const params = findObject(message, 'params') ?? {};
  const name = findMember(params, method === 'resources/read' ? 'uri' : 'name');
  const isNamed = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read';
  return {
    ...jsonHeaders,
    'mcp-protocol-version': '2026-07-28',
    ...(typeof method === 'string' && /^[\x21-\x7e]+$/.test(method) ? { 'mcp-method': method } : {}),
    // Headers of more than 16 KB are refused before anybody reads them.
    ...(isNamed && typeof name === 'string' && name.length < 1_000 ? { 'mcp-name': encodeHeaderValue(name) } : {}),
  };
}

/** Ids that somebody wanted cancelled: they may get no answer. */
type Cancelled = Set<string>;

function judge(body: Buffer, { status, type, text }: Reply, cancelled: Cancelled): string[] {
  const expected = expect([body.toString('utf8')], bodyBytes);
  for (const key of expected.free) cancelled.add(key);
  const isStream = type.startsWith('text/event-stream');
  const got = isStream ? messagesOf(text) : text === '' ? [] : ([JSON.parse(text)].flat() as JsonObject[]);
  const foreign = got.flatMap((message) => findFault(JSON.stringify(message)) ?? []);
  // A message that has no id is refused without one, when there is something to refuse.
  const nameless = { least: 0, most: expected.nameless.most + 1 };
  const answered =
    isStream && text.includes('subscriptions/acknowledged')
      ? []
      : findProblems({ ...expected, free: cancelled, nameless }, got);
  const odd = status >= 500 && status !== 503 ? [`status ${status}`] : [];
  const missing = expected.nameless.least > 0 && got.length === 0 ? ['no error at all'] : [];
  return [...foreign, ...answered, ...odd, ...missing];
}

async function run(era: Era, count: number): Promise<void> {
  const service = await startService(createFakeFront(), { limits: { bodyBytes } });
  const session = era === 'legacy' ? await initialize(service, { version: '2025-03-26' }) : {};
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const random = createRandom(seed);
  const grammar = createClientGrammar(random, era);
  const cancelled: Cancelled = new Set();
  let sent = 0;
  const work = async () => {
    while (sent < count) {
      const number = sent++;
      const body = grammar.next();
      const own = era === 'modern' ? modernHeaders(body) : session;
      const headers = random.oneIn(50) ? { ...own, 'mcp-session-id': 'nobody' } : own;
      const problems = await post(service.port, agent, {
        headers: { ...headers, 'content-length': body.length },
        body,
      }).then(
        (reply) => judge(body, reply, cancelled),
        (error: Error) => [error.message],
      );
      if (problems.length > 0)
        expectThat.fail(`seed ${seed}, message ${number}: ${problems.slice(0, 5).join('; ')}\n${show([body])}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  await service.close();
}

describe('whatever a client sends over HTTP', () => {
  it.each(eras)(
    'is answered as it must be, %s',
    async (era) => {
      await run(era, messages / 2);
      process.stderr.write(`generator: ${messages / 2} messages over HTTP (${era}), seed ${seed}\n`);
    },
    120_000,
  );
});
