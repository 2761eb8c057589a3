// @module-tag long
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { tempDir } from '../../support/processes.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { connectV1, connectV2Legacy, connectV2Modern } from '../../support/sdk-clients.ts';
import { type Era, eras, listChanged, resultOf } from '../support.ts';
import {
  type Again,
  beginWith,
  finish,
  firstLines,
  listNow,
  type Mode,
  modes,
  prime,
  runOnce,
  setUpAgain,
} from './begin-again.ts';

const cases = modes.flatMap((mode) => eras.map((era): [Mode, Era] => [mode, era]));

/** A call of `echo` of the server `old`, as it is made in a mode. */
function echoCall(mode: Mode): JsonObject {
  const args = { a: 'ä' };
  if (mode === 'flat') return { name: 'old:echo', arguments: args };
  if (mode === 'dynamic') return { name: 'box__old__echo', arguments: args };
  return { name: 'use_tool', arguments: { tool: { toolbox: 'box', server: 'old', name: 'echo' }, arguments: args } };
}

async function echo(client: RawClient, mode: Mode, era: Era): Promise<unknown> {
  const call = echoCall(mode);
  const answer = await client.request('tools/call', era === 'modern' ? withEnvelope(call) : call, { id: 'call' });
  return resultOf(answer.message).structuredContent;
}

const announcements = (client: RawClient) => client.messages.filter(({ message }) => message.method === listChanged);

/** What a start gives that knows nothing. */
function freshOf(again: Again, era: Era, env: Record<string, string | undefined> = {}): Promise<string[]> {
  return runOnce(again, era, { ...env, WORKBENCH_STATE: tempDir() });
}

describe.each(cases)('in mode %s, for a %s client, the first answers of every start', (mode, era) => {
  it('are byte for byte those of the first start, once each, and a call right behind them works', async () => {
    const again = setUpAgain({ mode });
    const first = await prime(again, era);
    expect(first.every((answer) => answer.startsWith('"result":'))).toBe(true);
    for (let start = 0; start < 2; start++) {
      const client = again.start();
      const answers = beginWith(client, era);
      expect(await echo(client, mode, era)).toEqual({ a: 'ä' });
      expect(await answers).toEqual(first);
      await finish(client);
      expect(announcements(client)).toEqual([]);
    }
  });
});

describe('a client that writes its lines in its own way', () => {
  it.each([
    ['Windows line ends', '\r\n'],
    ['a space behind each line', ' \n'],
    ['empty lines', '\n\r\n\n'],
  ])('a client that writes its lines in its own way is answered once: %s', async (_, end) => {
    const again = setUpAgain({ mode: 'flat' });
    await prime(again, 'legacy');
    const seen: string[][] = [];
    for (let start = 0; start < 3; start++) {
      const client = again.start();
      client.send(firstLines('legacy', 1).join(end) + end.slice(0, -1));
      await client.waitFor(({ id }) => id === 4, 20_000);
      await finish(client);
      seen.push([...client.lines]);
    }
    expect(seen[0]).toHaveLength(4);
    for (const lines of seen) expect(lines).toEqual(seen[0]);
  });

  it('a client that writes its lines in its own way may cancel what it has been answered, or ask the same many times', async () => {
    const again = setUpAgain({ mode: 'flat' });
    await prime(again, 'legacy');
    const client = again.start();
    const lines = firstLines('legacy', 1);
    const cancel = (requestId: number) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    const more = Array.from({ length: 30 }, (_, at) => String(lines[2]).replace('"id":2', `"id":${at + 10}`));
    client.send([...lines, ...more].join('\n'));
    await client.waitFor(({ id }) => id === 39, 20_000);
    client.send([2, 3, 4].map(cancel).join('\n'));
    await finish(client);
    expect(client.lines).toHaveLength(34);
  });
});

interface Change {
  readonly env?: Record<string, string | undefined>;
  readonly clientName?: string;
  /** Whether other tools than before are to be seen. */
  readonly isOther?: boolean;
  make?(again: Again): void;
}

describe('the answers of a start are those of a fresh one', () => {
  it.each<[string, Change]>([
    ['the configuration was edited', { isOther: true, make: ({ write }) => write({ separator: '-' }) }],
    [
      'an env file was edited',
      { isOther: true, make: ({ envFile }) => writeFileSync(envFile, 'TOOLS=pid,add,echo\n') },
    ],
    ['a variable was changed', { isOther: true, env: { OFFERED: 'pid' } }],
    [
      'what was known of servers was deleted',
      { make: ({ state }) => rmSync(join(state, 'catalog'), { recursive: true }) },
    ],
    ['the state was deleted', { make: ({ state }) => rmSync(state, { recursive: true }) }],
    ['the client is another one', { clientName: 'someone' }],
  ])('when %s', async (_, { env, clientName, isOther = false, make }) => {
    const again = setUpAgain({ mode: 'flat' });
    const before = await prime(again, 'legacy');
    make?.(again);
    const client = again.start(env);
    const answers = await beginWith(client, 'legacy', clientName);
    await finish(client);
    expect(answers).toEqual(await freshOf(again, 'legacy', env));
    expect(answers[1] !== before[1]).toBe(isOther);
    expect(announcements(client)).toEqual([]);
  });
});

describe('a server that lists something else than before', () => {
  it.each(eras)(
    'a server that lists something else than before is found out by a %s client, and the starts after that are right',
    async (era) => {
      const again = setUpAgain({ mode: 'flat' });
      const [, before] = await prime(again, era);
      writeFileSync(again.toolsFile, 'echo,pid,add');
      const client = again.start();
      expect((await beginWith(client, era))[1]).toBe(before);
      await echo(client, 'flat', era);
      if (era === 'legacy') await client.waitFor(({ method }) => method === listChanged);
      const now = await listNow(client, era);
      expect(now).not.toBe(before);
      expect(now).toContain('"old:add"');
      await finish(client);
      for (let start = 0; start < 3; start++) expect((await runOnce(again, era))[1]).toBe(now);
    },
  );
});

describe('programs that share their state', () => {
  it('programs that share their state may begin at once, whether something is kept or not', async () => {
    const again = setUpAgain({ mode: 'flat' });
    const first = await freshOf(again, 'legacy');
    for (let round = 0; round < 3; round++) {
      const all = await Promise.all([1, 2, 3].map(() => runOnce(again, 'legacy')));
      expect(all).toEqual([first, first, first]);
    }
    expect(readdirSync(join(again.state, 'catalog')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('first answers that an earlier version has kept', () => {
  it('first answers that an earlier version has kept are removed, and nothing else is', async () => {
    const again = setUpAgain({ mode: 'flat' });
    const folder = join(again.state, 'opening');
    mkdirSync(folder, { mode: 0o700 });
    for (const name of ['1234-5678.opening', '1234-5678.opening.ab12.tmp', 'secret', 'mine'])
      writeFileSync(join(folder, name), '');
    await runOnce(again, 'legacy');
    expect(readdirSync(folder)).toEqual(['mine']);
    rmSync(join(folder, 'mine'));
    await runOnce(again, 'legacy');
    expect(readdirSync(again.state)).not.toContain('opening');
  });
});

describe.each([
  ['1.x', connectV1],
  ['2.x in the handshake era', connectV2Legacy],
  ['2.x in the stateless era', connectV2Modern],
])('a client of SDK %s', (_, connect) => {
  it.each<Mode>(['meta', 'flat'])('finds the same tools and can call them at every start in mode %s', async (mode) => {
    const again = setUpAgain({ mode });
    const seen: unknown[] = [];
    for (let start = 0; start < 4; start++) {
      const client = await connect(again.command, again.args, again.env, again.dir);
      seen.push([client.instructions, await client.listTools()]);
      const { name, arguments: args } = echoCall(mode);
      const result = await client.callTool(String(name), args as Record<string, unknown>);
      expect(result.structuredContent).toEqual({ a: 'ä' });
      await client.close();
    }
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(again.known().length).toBeGreaterThan(0);
  });
});
