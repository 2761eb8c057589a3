import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive, tempDir } from './processes.ts';
import { type RawClient, startRaw } from './raw-client.ts';
import { fixture } from './servers.ts';
import { assertOnlyMessages } from './wire-check.ts';

function start(options: Parameters<typeof fixture>[1]): RawClient {
  const { command, args } = fixture('raw-legacy', options);
  return startRaw(command, args);
}

interface Page {
  readonly tools: readonly { readonly name?: string; readonly inputSchema?: unknown }[];
  readonly nextCursor?: string;
}

async function page(client: RawClient, cursor?: string): Promise<Page> {
  const { message } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
  return message.result as unknown as Page;
}

async function allPages(client: RawClient): Promise<Page[]> {
  const pages = [await page(client)];
  for (let next = pages[0]?.nextCursor; next !== undefined; next = pages.at(-1)?.nextCursor) {
    pages.push(await page(client, next));
  }
  return pages;
}

describe('the list of a raw server', () => {
  it('comes in pages whose cursors lead to every tool once', async () => {
    const pages = await allPages(start({ TOOLS: '', TOOL_COUNT: 5, PAGE_SIZE: 2 }));
    expect(pages.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['t0', 't1'], ['t2', 't3'], ['t4']]);
  });

  it('may begin with the empty string as a cursor', async () => {
    const pages = await allPages(start({ TOOLS: '', TOOL_COUNT: 3, PAGE_SIZE: 1, EMPTY_CURSOR: 1 }));
    expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['', expect.stringMatching(/./), undefined]);
    expect(pages.flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual(['t0', 't1', 't2']);
  });

  it('names the same cursor for ever when told to', async () => {
    const client = start({ CYCLE: 1 });
    const first = await page(client);
    const second = await page(client, first.nextCursor);
    const third = await page(client, second.nextCursor);
    expect(second.nextCursor).toBe(first.nextCursor);
    expect(third).toEqual(second);
    expect(second.tools).not.toEqual(first.tools);
  });

  it('refuses a cursor it never gave', async () => {
    const { message } = await start({ PAGE_SIZE: 2 }).request('tools/list', { cursor: 'invented' });
    expect(message.error).toMatchObject({ code: -32602 });
  });

  it('can hold malformed tools between good ones', async () => {
    const { tools } = await page(start({ MALFORMED: 1, TOOLS: 'echo,add' }));
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'malformed_schema', undefined, 'add']);
    expect(tools[1]?.inputSchema).toBe('not a schema');
  });
});

describe('the manners of a raw server', () => {
  it('prints noise before and between its messages when told to', async () => {
    const client = start({ NOISE: 1 });
    await client.legacyHandshake();
    await client.request('ping');
    expect(client.lines[0]).toBe('Welcome to the noisy server!');
    expect(client.lines.filter((line) => line.startsWith('DEBUG'))).toHaveLength(2);
    expect(client.messages).toHaveLength(2);
    expect(() => assertOnlyMessages(client.lines)).toThrow('line 1 on stdout is not a JSON object');
  });

  it('writes as many lines on stderr as it is told to', async () => {
    const { stderr } = await start({ STDERR_LINES: 3 }).close();
    expect(stderr).toBe('stderr line 1\nstderr line 2\nstderr line 3\n');
  });

  it('answers what was sent before its delayed start', async () => {
    const { message } = await start({ START_DELAY_MS: 200 }).legacyHandshake();
    expect(message.result).toBeDefined();
  });

  it('exits at a request before initialize when told to, and says why', async () => {
    const client = start({ DIE_ON_PROBE: 1 });
    await expect(client.modern('server/discover')).rejects.toThrow('Received server/discover before initialize');
    expect((await client.exited).code).toBe(1);
  });

  it('serves the handshake and what follows although it would exit at a probe', async () => {
    const client = start({ DIE_ON_PROBE: 1 });
    await client.legacyHandshake();
    expect((await client.request('ping')).message.result).toEqual({});
  });

  it('is silent about unknown methods when told to', async () => {
    const client = start({ IGNORE_UNKNOWN: 1 });
    await expect(client.request('server/discover', {}, { timeoutMs: 300 })).rejects.toThrow('nothing after 300 ms');
    expect((await client.request('ping')).message.result).toEqual({});
  });

  it('answers a parse error to a line that is no JSON, and goes on', async () => {
    const client = start({});
    client.send('{ nonsense');
    await client.waitFor(({ error }) => (error as { code?: number } | undefined)?.code === -32700);
    expect((await client.request('ping')).message.result).toEqual({});
    assertOnlyMessages(client.lines);
  });

  it('notes its process id in a file', async () => {
    const file = join(tempDir(), 'pids');
    const client = start({ PID_LOG: file });
    await client.legacyHandshake();
    expect(readFileSync(file, 'utf8')).toBe(`${client.pid}\n`);
  });

  it('exits with 0 when its stdin ends', async () => {
    expect(await start({}).close()).toMatchObject({ code: 0, signal: null });
  });

  it('exits at the end of its stdin although a call is under way', async () => {
    const client = start({});
    client.request('tools/call', { name: 'slow', arguments: { ms: 60_000 } }).catch(() => {});
    await client.request('ping');
    expect(await client.close()).toMatchObject({ code: 0, signal: null });
  });

  it('lives on after the end of stdin when told to, which close reports', async () => {
    const client = start({ IGNORE_EOF: 1 });
    await client.legacyHandshake();
    await expect(client.close(300)).rejects.toThrow('did not exit within 300 ms');
    expect(isAlive(client.pid)).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('lives on after SIGTERM when told to', async () => {
    const client = start({ IGNORE_TERM: 1 });
    await client.legacyHandshake();
    const exit = client.kill('SIGTERM');
    expect((await client.request('ping')).message.result).toEqual({});
    await client.kill('SIGKILL');
    expect(await exit).toMatchObject({ signal: 'SIGKILL' });
  });
});
