import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { eras, startEra, textOf } from '../../flows/support.ts';
import { eventually } from '../../support/eventually.ts';
import { startSse } from './sse-server.ts';

const configOf = (url: string, extra: JsonObject = {}) => ({ mcpServers: { old: { url, ...extra } }, separator: '__' });

describe.each(eras)('a server of the transport of 2024-11-05, for a client of the %s era', (era) => {
  it.each<[string, JsonObject]>([
    ['found out', {}],
    ['stated', { type: 'sse' }],
  ])('is listed and called, its transport %s', async (_how, extra) => {
    const server = await startSse();
    const client = await startEra(era, { config: configOf(server.url, extra) });
    expect(await client.names()).toEqual(['old__echo', 'old__hang']);
    expect(textOf(await client.call('old__echo', { a: 1 }, { progressToken: 'p' }))).toBe('{"a":1}');
    expect(client.heard('notifications/progress')).toHaveLength(1);
    if (extra.type === 'sse') expect(server.seen[0]?.method).toBe('GET');
  });
});

describe('a server of the transport of 2024-11-05', () => {
  it('is not looked for when the configuration states the newer one', async () => {
    const server = await startSse();
    const client = await startEra('legacy', { config: configOf(server.url, { type: 'http' }) });
    expect(await client.names()).toEqual([]);
    expect(server.seen.filter(({ method }) => method === 'GET')).toEqual([]);
  });

  it('cannot send our messages to another origin', async () => {
    const server = await startSse('http://elsewhere.invalid/messages');
    const client = await startEra('legacy', { config: configOf(server.url, { type: 'sse' }) });
    expect(await client.names()).toEqual([]);
    await eventually(() => client.stderr.includes('http://elsewhere.invalid'));
  });

  it('fails calls under way when its stream ends, and is connected again by the next call', async () => {
    const server = await startSse();
    const client = await startEra('legacy', { config: configOf(server.url) });
    await client.names();
    const pending = client.call('old__hang');
    await eventually(() => server.asked('tools/call').length === 1);
    server.cut();
    expect(JSON.stringify(await pending)).toContain('unknown');
    expect(textOf(await client.call('old__echo', { again: 1 }))).toBe('{"again":1}');
  });
});
