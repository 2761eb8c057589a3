import { type IncomingMessage, request as startRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/base/call/call.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { type LogFields, silentLog } from '../../../src/base/text/log.ts';
import type { HttpService } from '../../../src/serve/http/serve-http.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  createFakeFront,
  initialize,
  jsonHeaders,
  messagesOf,
  modern,
  rpc,
  type Sent,
  send,
  startService,
} from './support.ts';

const mib = 1024 * 1024;
const large = 'x'.repeat(mib);
/** Far more than the system itself takes for a reader that does not read. */
const count = 40;

/** Opens an answer and reads nothing of it until told to. */
function openUnread({ port }: HttpService, { method = 'POST', path = '/mcp', headers = {}, body }: Sent) {
  return new Promise<{ readonly first: string; readAll(): string; readonly ended: Promise<void> }>((resolve) => {
    const request = startRequest({ host: '127.0.0.1', port, method, path, headers, agent: false });
    atEnd(() => void request.destroy());
    request.on('error', () => {});
    request.on('response', async (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('error', () => {});
      const ended = new Promise<void>((done) => response.on('close', done));
      await new Promise((done) => response.once('readable', done));
      const first = String(response.read());
      const readAll = () => {
        if (text === '')
          response.on('data', (chunk: string) => {
            text += chunk;
          });
        return text;
      };
      resolve({ first, readAll, ended });
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function createNotes() {
  const notes: [string, unknown][] = [];
  const warn = (event: string, fields?: LogFields) => void notes.push([event, fields?.count]);
  return { notes, log: { ...silentLog, warn } };
}

describe('a reader of an event stream that stops reading', () => {
  it.each(['handshake', 'stateless'])('is spared progress, but gets its answer: in the %s era', async (era) => {
    const { notes, log } = createNotes();
    let over = false;
    const call = async ({ notify }: Call) => {
      for (let progress = 1; progress <= count; progress++) {
        notify('notifications/progress', { progress, message: large });
        await new Promise((resolve) => setImmediate(resolve));
      }
      over = true;
      return { result: RawJson.of({ content: [] }) };
    };
    const service = await startService(createFakeFront({ call }), { log, limits: { pendingBytes: 4 * mib } });
    const meta = { progressToken: 'p' };
    const sent =
      era === 'stateless'
        ? modern('tools/call', { name: 'echo' }, { meta })
        : { headers: await initialize(service), body: rpc('tools/call', { name: 'echo', _meta: meta }, 1) };
    const { first, readAll, ended } = await openUnread(service, sent);
    await eventually(() => over);
    readAll();
    await ended;
    const messages = messagesOf(first + readAll());
    const told = messages.filter(({ method }) => method === 'notifications/progress').length;
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [] } });
    expect(told).toBeLessThan(count);
    expect(notes).toEqual([['a client did not read; some messages were left out', count - told]]);
  });

  /** On one stream, as the oldest transport has it, answers of many calls wait. */
  async function floodWithAnswers(pendingBytes: number) {
    const { notes, log } = createNotes();
    const clock = createFakeClock();
    const front = createFakeFront({ call: () => ({ result: RawJson.of({ text: large }) }) });
    const service = await startService(front, { sse: true, log, clock, limits: { pendingBytes } });
    const stream = await openUnread(service, { method: 'GET', path: '/sse', headers: jsonHeaders });
    const path = /data: (\S+)/.exec(stream.first)?.[1] ?? '';
    const post = (body: unknown) => send(service, { path, headers: jsonHeaders, body });
    await post(rpc('initialize', { protocolVersion: '2024-11-05', capabilities: {} }, 0));
    for (let id = 1; id <= count; id++) await post(rpc('tools/call', { name: 'echo' }, id));
    await eventually(() => front.calls.length === count);
    return { notes, clock, front, stream };
  }

  it('gets all its answers, and once what has changed meanwhile', async () => {
    const { front, stream } = await floodWithAnswers(16 * mib);
    front.change();
    front.change();
    await eventually(() => stream.readAll().slice(-1_000).includes('list_changed'), 20_000);
    const messages = messagesOf(stream.readAll());
    expect(messages.map(({ id }) => id)).toEqual([...Array.from({ length: count + 1 }, (_, id) => id), undefined]);
    expect(messages.at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('is cut when it takes nothing for 10 s and more than the bound waits', async () => {
    const { front, clock, notes } = await floodWithAnswers(16 * mib);
    await clock.advance(9_999);
    expect([front.connected, notes]).toEqual([1, []]);
    await clock.advance(1);
    await eventually(() => front.connected === 0);
    expect(notes).toEqual([['the client does not read: it is given up', undefined]]);
  });

  it('is left in peace when less waits', async () => {
    const { front, clock, notes } = await floodWithAnswers(64 * mib);
    await clock.advance(20_000);
    expect([front.connected, notes]).toEqual([1, []]);
  });
});

describe('a reader of a plain answer that stops reading', () => {
  const open = async (stallMs: number) => {
    const front = createFakeFront({ call: () => ({ result: RawJson.of({ text: 'x'.repeat(32 * mib) }) }) });
    const service = await startService(front, { limits: { stallMs } });
    return openUnread(service, modern('tools/call', { name: 'echo' }));
  };

  it('is cut when it takes nothing for too long', async () => {
    const { readAll, ended } = await open(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    readAll();
    await ended;
    expect(readAll().length).toBeLessThan(30 * mib);
  });

  it('gets all of it when it goes on in time', async () => {
    const { first, readAll, ended } = await open(60_000);
    readAll();
    await ended;
    expect((first + readAll()).length).toBeGreaterThan(32 * mib);
  });
});
