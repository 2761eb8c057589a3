import { describe, expect, it } from 'vitest';
import { createEventReader, type StreamEvent } from '../../src/downstream/http/event-stream.ts';
import { toNetworkFailure, toStatusFailure } from '../../src/downstream/http/failure.ts';
import { findServerProxy } from '../../src/downstream/http/proxy.ts';
import { toOneLine } from '../../src/downstream/http/read-body.ts';
import { planRedirect } from '../../src/downstream/http/redirect.ts';

const place = { server: 'far', url: new URL('https://user:pw-canary@far.example/mcp?key=query-canary') };

function read(pieces: readonly string[], maxLength = 1_000) {
  const events: StreamEvent[] = [];
  const retries: number[] = [];
  let oversize = 0;
  const reader = createEventReader({
    maxLength,
    onEvent: (event) => events.push(event),
    onRetry: (delayMs) => retries.push(delayMs),
    onOversize: () => oversize++,
  });
  for (const piece of pieces) reader.push(piece);
  return { events, retries, oversize };
}

describe('a stream of events', () => {
  it.each<[string, string]>([
    ['newlines', 'id: 1\ndata: {"a":\ndata: 1}\n\ndata: x\n\n'],
    ['returns', 'id: 1\rdata: {"a":\rdata: 1}\r\rdata: x\r\r'],
    ['both', '\ufeffid: 1\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: comment\r\ndata: x\r\n\r\n'],
  ])('is read the same with %s, however it is cut', (_name, text) => {
    const expected = [
      { event: 'message', data: '{"a": 1}', id: '1' },
      { event: 'message', data: 'x', id: '1' },
    ];
    expect(read([text]).events).toEqual(expected);
    expect(read([...text]).events).toEqual(expected);
  });

  it('tells names, waits and events that only carry an id', () => {
    const { events, retries } = read([
      'event: endpoint\ndata:/x\n\nretry: 250\nretry: soon\nid: 7\ndata:\n\nid: 8\n\n',
    ]);
    expect(events).toEqual([
      { event: 'endpoint', data: '/x', id: undefined },
      { event: 'message', data: '', id: '7' },
      { event: 'message', data: '', id: '8' },
    ]);
    expect(retries).toEqual([250]);
  });

  it('drops an event that was not finished', () => {
    expect(read(['data: half\n']).events).toEqual([]);
  });

  it('ends at an event that is too long, told once, also when it comes in many lines', () => {
    expect(read(['data: ', 'x'.repeat(60), 'x'.repeat(60), '\n\ndata: y\n\n'], 100)).toMatchObject({
      events: [],
      oversize: 1,
    });
    expect(
      read(
        Array.from({ length: 40 }, () => 'data: x\n'),
        100,
      ),
    ).toMatchObject({ events: [], oversize: 1 });
  });

  it('may be longer than one event may be', () => {
    expect(
      read(
        Array.from({ length: 40 }, () => 'data: x\n\n'),
        100,
      ).events,
    ).toHaveLength(40);
  });
});

describe('a redirect', () => {
  it.each([
    ['POST', 307, '/other', 'https://far.example/other'],
    ['POST', 308, 'https://far.example/other', 'https://far.example/other'],
    ['GET', 301, '/other', 'https://far.example/other'],
    ['GET', 302, '/other', 'https://far.example/other'],
    ['GET', 308, '/other', 'https://far.example/other'],
    ['POST', 200, '/other', undefined],
    ['POST', 304, '/other', undefined],
  ])('of %s with status %i to %s leads to %s', (method, status, location, expected) => {
    const next = planRedirect(place, { method, status, location, followed: 0 });
    expect(next === undefined ? undefined : `${next.origin}${next.pathname}`).toBe(expected);
  });

  it.each([
    ['POST', 301, '/other', 0, 'status 301'],
    ['POST', 302, '/other', 0, 'status 302'],
    ['POST', 303, '/other', 0, 'status 303'],
    ['GET', 303, '/other', 0, 'status 303'],
    ['POST', 307, 'http://far.example/mcp', 0, 'http://far.example'],
    ['POST', 307, 'https://far.example:444/mcp', 0, 'https://far.example:444'],
    ['POST', 307, '//evil.example/mcp?token=query-canary', 0, 'https://evil.example'],
    ['GET', 308, 'file:///etc/passwd', 0, 'file:'],
    ['POST', 307, undefined, 0, 'without a valid address'],
    ['POST', 307, 'http://[', 0, 'without a valid address'],
    ['POST', 308, '/other', 3, 'more than 3 times'],
  ])('of %s with status %i to %s after %i others is refused: %s', (method, status, location, followed, words) => {
    const follow = () => planRedirect(place, { method, status, location, followed });
    expect(follow).toThrow(expect.objectContaining({ code: 'WB1312' }));
    expect(follow).toThrow(words);
    expect(follow).not.toThrow(/canary/);
  });
});

describe('the proxy of a server', () => {
  const env = { HTTP_PROXY: 'http://plain.example:1', https_proxy: 'http://us%40er:p%3Aw@secure.example:2' };
  it.each([
    ['http://far.example/mcp', env, 'http://plain.example:1/', undefined],
    ['https://far.example/mcp', env, 'http://secure.example:2/', 'us@er:p:w'],
    ['https://far.example/mcp', { ALL_PROXY: 'all.example:3' }, 'http://all.example:3/', undefined],
    ['http://localhost:8080/mcp', env, undefined, undefined],
    ['http://127.0.0.1/mcp', env, undefined, undefined],
    ['http://[::1]/mcp', env, undefined, undefined],
    ['https://a.far.example/mcp', { ...env, NO_PROXY: 'x, .far.example' }, undefined, undefined],
    ['https://far.example/mcp', { ...env, no_proxy: 'far.example:8443' }, 'http://secure.example:2/', 'us@er:p:w'],
    ['https://far.example/mcp', {}, undefined, undefined],
  ])('for %s with %o is %s', (url, variables, expected, pair) => {
    const proxy = findServerProxy(new URL(url), variables);
    expect(proxy?.url.href).toBe(expected);
    const told = proxy?.authorization?.slice('Basic '.length);
    expect(told === undefined ? undefined : Buffer.from(told, 'base64').toString()).toBe(pair);
  });

  it('must be one that can be used', () => {
    const find = () => findServerProxy(new URL('https://far.example'), { HTTPS_PROXY: 'socks5://u:pw-canary@h:1' });
    expect(find).toThrow(expect.objectContaining({ code: 'WB1304' }));
    expect(find).not.toThrow(/canary/);
  });
});

describe('a failure on the way to a server', () => {
  const failed = (code: string, syscall?: string) => Object.assign(new Error('body-canary'), { code, syscall });
  it.each([
    [failed('ENOTFOUND', 'getaddrinfo'), 'WB1302', 'far.example'],
    [failed('EAI_AGAIN', 'getaddrinfo'), 'WB1302', 'EAI_AGAIN'],
    [failed('CERT_HAS_EXPIRED'), 'WB1303', 'has expired'],
    [failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'WB1303', 'self-signed'],
    [failed('ERR_TLS_CERT_ALTNAME_INVALID'), 'WB1303', 'another host'],
    [failed('EPROTO', 'write'), 'WB1303', 'does not speak TLS'],
    [failed('ECONNREFUSED', 'connect'), 'WB1305', 'nothing listens'],
    [new AggregateError([failed('ECONNREFUSED', 'connect')]), 'WB1305', 'nothing listens'],
    [failed('ECONNRESET', 'read'), 'WB1305', 'broke'],
    [failed('ETIMEDOUT', 'read'), 'WB1305', 'broke'],
    ['odd', 'WB1305', 'unknown reason'],
  ])('%s is %s and says "%s", and nothing that is secret', (error, code, words) => {
    const failure = toNetworkFailure(place, error);
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(words);
    expect(`${failure.message}${failure.fix}`).not.toContain('canary');
  });

  it.each([
    [401, 'WB1201', 'mcp-workbench auth login far'],
    [403, 'WB1203', 'mcp-workbench auth login'],
    [404, 'WB1306', '/mcp'],
    [405, 'WB1306', '/mcp'],
    [429, 'WB1307', 'Try again'],
    [503, 'WB1307', 'Try again'],
  ])('as status %i is %s with the advice "%s"', (status, code, advice) => {
    const failure = toStatusFailure(place, status);
    expect(failure.code).toBe(code);
    expect(failure.fix).toContain(advice);
    expect(failure.message).not.toContain('canary');
  });
});

describe('JSON over several lines', () => {
  it('becomes one line of the same value', () => {
    const text = JSON.stringify({ a: ['x\ny', { b: 1 }] }, null, 2).replaceAll('\n', '\r\n');
    expect(toOneLine(text)).not.toMatch(/[\r\n]/);
    expect(JSON.parse(toOneLine(text))).toEqual({ a: ['x\ny', { b: 1 }] });
  });
});
