import { describe, expect, it } from 'vitest';
import type { Known } from '../../../src/downstream/listing/known.ts';
import { createWorld } from '../link/link-world.ts';

const second = 1_000;
const unknown = { error: { code: -32601, message: 'Method not found' } };
const unauthorized = { error: { code: -32000, message: 'Unauthorized: bad API key' } };
const why = "Server 'files' does not list its tools: tools/list failed: Unauthorized: bad API key.";

function startWith(method: string, answer: typeof unknown) {
  const kept: Known[] = [];
  const world = createWorld({ server: { start: 'eager' }, keep: (known) => kept.push(known) });
  world.server.answers.set(method, answer);
  return { ...world, kept };
}

describe('a list that a server does not know', () => {
  it.each(['prompts/list', 'resources/list', 'resources/templates/list'])(
    'is empty when it is that of %s: nothing is wrong, and what the server offers is kept',
    async (method) => {
      const { start, link, kept } = startWith(method, unknown);
      expect(await start()).toBe('ready');
      expect(link.status).toMatchObject({ state: 'ready', notes: [] });
      expect(link.status.failure).toBeUndefined();
      expect(kept.map(({ listing }) => listing.tools.length)).toEqual([4]);
    },
  );

  it('is a fault when it is that of the tools', async () => {
    const { start, link, kept } = startWith('tools/list', unknown);
    await start();
    expect(link.status.failure).toMatchObject({ code: 'WB1024', message: expect.stringContaining('Method not found') });
    expect(kept).toEqual([]);
  });
});

describe('tools that a server does not list', () => {
  it('are told as a failure of a server that is connected, with its reason', async () => {
    const { start, link, kept } = startWith('tools/list', unauthorized);
    expect(await start()).toBe('ready');
    expect(link.status).toMatchObject({ state: 'ready', failure: { code: 'WB1024', message: why } });
    expect(kept).toEqual([]);
  });

  it('are asked for again, and then nothing is wrong any more', async () => {
    const { start, link, clock, server, kept, listings } = startWith('tools/list', unauthorized);
    await start();
    server.answers.clear();
    await clock.advance(5 * second);
    expect(link.status.failure).toBeUndefined();
    expect(link.status.notes).toEqual([]);
    expect(listings).toEqual([['read', 'put', 'write', 'plain']]);
    expect(kept).toHaveLength(1);
  });

  it('are a failure also when they were listed before and are not when the server says that they have changed', async () => {
    const { start, link, clock, server } = startWith('tools/list', unauthorized);
    server.answers.clear();
    await start();
    server.answers.set('tools/list', unauthorized);
    server.last.say({ method: 'notifications/tools/list_changed' });
    await clock.advance(2 * second);
    expect(link.status.failure?.code).toBe('WB1024');
    expect(link.listing?.tools).toHaveLength(4);
  });
});
