import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tempDir, waitUntilDead } from '../../support/processes.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { type EraClient, eras, linesOf, startEra, textOf } from '../support.ts';

async function finish(client: EraClient): Promise<void> {
  expect((await client.close()).code).toBe(0);
  assertOnlyMessages(client.lines);
}

describe.each(eras)('a server that crashes, for a %s client', (era) => {
  it('is started again by itself', async () => {
    const pidLog = join(tempDir(), 'pids');
    const client = await startEra(era, {
      config: { mcpServers: { crash: fixture('raw-legacy', { PID_LOG: pidLog }) } },
    });
    await client.names();
    expect(textOf(await client.call('crash:exit', { code: 9 }))).toContain('[WB1010]');
    await eventually(() => linesOf(pidLog).length === 2);
    expect(textOf(await client.call('crash:pid'))).toBe(linesOf(pidLog)[1]);
    expect(linesOf(pidLog)).toHaveLength(2);
    await finish(client);
  });

  it('again and again is left alone, and calls are told so at once while others are served', async () => {
    const pidLog = join(tempDir(), 'pids');
    const client = await startEra(era, {
      config: { mcpServers: { crash: fixture('raw-legacy', { PID_LOG: pidLog }), sound: fixture('raw-modern') } },
    });
    await client.names();
    for (let crash = 0; crash < 5; crash++)
      expect(textOf(await client.call('crash:exit', { code: 9 }))).toContain('[WB1010]');
    const text = textOf(await client.call('crash:echo'));
    expect(text).toMatch(/'crash' is down.*tried again in \d+ s.*exited with code 9.*\[WB1018\]/);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(linesOf(pidLog)).toHaveLength(5);
    expect(textOf(await client.call('sound:echo', { a: 1 }))).toBe('{"a":1}');
    await finish(client);
  });

  it('in a call that only reads is asked again, and in any other the outcome is unknown', async () => {
    const callLog = join(tempDir(), 'calls');
    const client = await startEra(era, { config: { mcpServers: { s: fixture('crash-once', { CALL_LOG: callLog }) } } });
    await client.names();
    expect(textOf(await client.call('s:look'))).toBe('look done');
    expect(textOf(await client.call('s:change'))).toMatch(/is unknown.*\[WB1010\]/);
    expect(linesOf(callLog)).toEqual(['look', 'look', 'change']);
    await finish(client);
  });
});

describe('a server with idleMs', () => {
  it('a server with idleMs is ended when it is not used, stays listed, and is started by the next call', async () => {
    const client = await startEra('legacy', {
      config: { mcpServers: { idle: { ...fixture('raw-legacy', { TOOLS: 'pid' }), idleMs: 1_000 } } },
    });
    const first = textOf(await client.call('idle:pid'));
    await waitUntilDead([Number(first)]);
    expect(await client.names()).toEqual(['idle:pid']);
    const second = textOf(await client.call('idle:pid'));
    expect(second).toMatch(/^\d+$/);
    expect(second).not.toBe(first);
    await finish(client);
  });
});

describe('a server with "start": "eager"', () => {
  it('a server with "start": "eager" runs before anybody needs it', async () => {
    const pidLog = join(tempDir(), 'pids');
    const mcpServers = { ahead: { ...fixture('raw-legacy', { PID_LOG: pidLog }), start: 'eager' } };
    const client = await startEra('legacy', { config: { toolboxes: { box: { description: 'Box', mcpServers } } } });
    await eventually(() => linesOf(pidLog).length === 1);
    await finish(client);
  });
});
