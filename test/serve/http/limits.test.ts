import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import {
  bearer,
  createFakeFront,
  createGate,
  jsonHeaders,
  modern,
  open,
  rpc,
  send,
  sendRaw,
  startService,
  untilStatus,
} from './support.ts';

const kib = 1024;
/** A request of so many bytes in all. */
const sized = (bytes: number) => {
  const { headers, body } = modern('tools/call', { name: 'echo', arguments: { text: '' } });
  return {
    headers,
    body: JSON.stringify(body).replace('"text":""', `"text":"${'x'.repeat(bytes - JSON.stringify(body).length)}"`),
  };
};
const head = (lines: readonly string[]) => `${['POST /mcp HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`;
const usual = ['Host: 127.0.0.1', `Authorization: ${bearer.authorization}`, 'Content-Type: application/json'];
const smuggled = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

describe('the body of a request', () => {
  it('may be as large as the limit and no larger', async () => {
    const service = await startService(createFakeFront(), { limits: { bodyBytes: 64 * kib } });
    expect((await send(service, sized(64 * kib))).status).toBe(200);
    const over = await send(service, sized(64 * kib + 1));
    expect([over.status, over.headers.connection]).toEqual([413, 'close']);
    expect(over.json).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining('65536') } });
  });

  it('is counted while it comes, not believed', async () => {
    const service = await startService(createFakeFront(), { limits: { bodyBytes: 64 * kib } });
    const { headers } = sized(1_000);
    const over = await send(service, {
      ...sized(64 * kib + 1),
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    });
    expect(over.status).toBe(413);
  });

  it('is not waited for when the client asks first', async () => {
    const service = await startService(createFakeFront(), { limits: { bodyBytes: 64 * kib } });
    const lines = [...usual, 'Accept: */*', 'Expect: 100-continue'];
    const refused = await sendRaw(service, head([...lines, `Content-Length: ${65 * kib}`]));
    expect(refused).toMatch(/^HTTP\/1\.1 413 /);
    const body = JSON.stringify(rpc('ping'));
    const taken = await sendRaw(
      service,
      `${head([...lines, 'Connection: close', `Content-Length: ${body.length}`])}${body}`,
    );
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  it('may be of 8 MiB by default', async () => {
    const service = await startService();
    expect((await send(service, sized(8 * kib * kib))).status).toBe(200);
    expect((await send(service, sized(8 * kib * kib + 1))).status).toBe(413);
  });

  it('may hold so many values and be nested so deep, however few bytes that takes', async () => {
    const service = await startService(createFakeFront(), { limits: { bodyValues: 20_000 } });
    const { headers } = modern('tools/call', { name: 'echo', arguments: {} });
    const withArguments = (text: string) => ({
      headers,
      body: JSON.stringify(modern('tools/call', { name: 'echo', arguments: {} }, { id: 'x' }).body).replace(
        '"arguments":{}',
        `"arguments":{"a":${text}}`,
      ),
    });
    for (const text of [`[${'1111,'.repeat(20_000)}1]`, `${'['.repeat(50_000)}${']'.repeat(50_000)}`]) {
      const over = await send(service, withArguments(text));
      expect([over.status, over.json]).toMatchObject([
        413,
        { id: 'x', error: { code: -32600, data: { code: 'WB1316' } } },
      ]);
    }
    expect((await send(service, withArguments(`[${'1111,'.repeat(15_000)}1]`))).status).toBe(200);
  });

  it('that does not end costs its sender the oldest of those, not others theirs', async () => {
    const service = await startService();
    const half = (bytes: number) =>
      `${head([...usual, 'Accept: */*', `Content-Length: ${bytes + 1}`])}${'x'.repeat(bytes)}`;
    const halves = Array.from({ length: 8 }, () => sendRaw(service, half(7 * kib * kib)));
    expect(await Promise.race(halves)).toMatch(/^HTTP\/1\.1 503 [\s\S]*busy: /);
    expect((await send(service, sized(1_000))).status).toBe(200);
    expect((await send(service, sized(kib * kib))).status).toBe(200);
  });
});

describe('a request that two parsers could read differently', () => {
  it.each([
    ['a length and chunks', [...usual, 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['two lengths', [...usual, 'Content-Length: 0', 'Content-Length: 50'], ''],
    ['a length that is no number', [...usual, 'Content-Length: 0x10'], ''],
    ['a length with a sign', [...usual, 'Content-Length: +0'], ''],
    ['an unknown encoding', [...usual, 'Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['a space before the colon', [...usual, 'Content-Length : 0'], ''],
    ['a folded line', [...usual, 'X-A: b', ' Content-Length: 50'], ''],
    ['a bare line feed in a value', [...usual, 'X-A: b\nContent-Length: 50'], ''],
    ['a NUL in a value', [...usual, 'X-A: b\0c'], ''],
    ['no host', usual.slice(1), ''],
    ['two hosts', ['Host: 127.0.0.1', ...usual], ''],
    ['an empty host', ['Host:', ...usual.slice(1)], ''],
  ])('is refused: %s', async (_, lines, body) => {
    const service = await startService();
    const answer = await sendRaw(service, `${head([...lines, 'Connection: close'])}${body}${smuggled}`);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|403) /);
    expect(answer).not.toContain('"up"');
  });

  it('is refused when its headers are too many bytes', async () => {
    const service = await startService();
    const lines = [...usual, `X-A: ${'a'.repeat(300 * kib)}`];
    expect(await sendRaw(service, head(lines))).toMatch(/^(HTTP\/1\.1 431 |$)/);
    const many = Array.from({ length: 400 }, (_, at) => `X-${at}: ${'a'.repeat(50)}`);
    expect(await sendRaw(service, head([...usual, ...many]))).toMatch(/^HTTP\/1\.1 431 /);
    expect((await send(service, modern('tools/list'))).status).toBe(200);
  });
});

describe('a client that is too slow', () => {
  it('with its headers is cut off', async () => {
    const service = await startService(createFakeFront(), { limits: { headersMs: 200, bodyMs: 60_000 } });
    expect(await sendRaw(service, 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('with its body is cut off', async () => {
    const service = await startService(createFakeFront(), { limits: { headersMs: 100, bodyMs: 200 } });
    const lines = [...usual, 'Accept: */*', 'Content-Length: 100'];
    expect(await sendRaw(service, `${head(lines)}{`)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it('with its next request is let go', async () => {
    const service = await startService(createFakeFront(), { limits: { idleMs: 100 } });
    expect(await sendRaw(service, smuggled)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('connections', () => {
  it('beyond the limit are answered with 503 when all others are in use, and served again when they are not', async () => {
    const gate = createGate();
    const front = createFakeFront({ call: gate.call });
    const service = await startService(front, { limits: { connections: 2 } });
    const calls = [1, 2].map((id) => send(service, modern('tools/call', { name: 'echo', arguments: {} }, { id })));
    await eventually(() => front.calls.length === 2);
    const beyond = await untilStatus(503, () => send(service, { method: 'GET', path: '/healthz' }));
    expect([beyond.headers['retry-after'], beyond.headers.connection]).toEqual(['5', 'close']);
    gate.open();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    await untilStatus(200, () => send(service, { method: 'GET', path: '/healthz' }));
  });

  it('that do not say who they are make way for others, the oldest first, however many there are', async () => {
    const service = await startService(createFakeFront(), { limits: { connections: 4 } });
    const ended: number[] = [];
    for (let at = 0; at < 20; at++) {
      const socket = createConnection({ host: '127.0.0.1', port: service.port });
      atEnd(() => void socket.destroy());
      socket.on('error', () => {}).on('close', () => ended.push(at));
      await new Promise((resolve) => socket.once('connect', resolve));
      if (at % 2 === 0) socket.write('POST /mcp HTTP/1.1\r\nHost: 127');
    }
    for (let time = 0; time < 5; time++) expect((await send(service, modern('tools/list'))).status).toBe(200);
    await eventually(() => ended.length >= 16);
    expect(ended.slice(0, 3)).toEqual([0, 1, 2]);
  });

  it('of a client that has shown its token make way only when nothing happens on them', async () => {
    const service = await startService(createFakeFront(), { limits: { connections: 1 } });
    const socket = createConnection({ host: '127.0.0.1', port: service.port });
    atEnd(() => void socket.destroy());
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {});
    const body = JSON.stringify(rpc('ping'));
    socket.write(`${head([...usual, 'Accept: */*', `Content-Length: ${body.length}`])}${body}`);
    await eventually(() => text.startsWith('HTTP/1.1 400'));
    expect((await send(service, modern('tools/list'))).status).toBe(200);
    await eventually(() => socket.destroyed);
  });

  it('are kept open between requests', async () => {
    const service = await startService();
    const answer = await send(service, { headers: { ...jsonHeaders, connection: 'keep-alive' }, body: rpc('ping') });
    expect(answer.headers.connection).toBe('keep-alive');
    const opened = await open(service, modern('tools/list'));
    expect(opened.status).toBe(200);
  });
});
