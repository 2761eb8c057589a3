// @module-tag large
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { type Household, openHousehold } from '../../daemon/household.ts';
import { eventually } from '../../support/eventually.ts';
import { waitUntilDead } from '../../support/processes.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { fixture } from '../../support/servers.ts';
import { textOf } from '../support.ts';

const right = { steady: fixture('raw-legacy'), other: fixture('raw-legacy') };
/** What a person may write who wants to take a tool away. */
const mistyped = { ...right, other: { ...right.other, toolFilter: ['!echo'] } };
const toFile = (mcpServers: object, more: object = {}) => JSON.stringify({ ...more, mcpServers }, null, 2);

async function greet(client: RawClient): Promise<JsonObject> {
  const { message } = await client.legacyHandshake();
  await client.request('tools/list', {}, { timeoutMs: 20_000 });
  return message.result as JsonObject;
}

const call = async (client: RawClient, name: string) =>
  (await client.request('tools/call', { name, arguments: {} }, { timeoutMs: 20_000 })).message;
const pidOf = async (client: RawClient, server: string) =>
  ((await call(client, `${server}:pid`)).result as { structuredContent: { pid: number } }).structuredContent.pid;
const warnings = ({ messages }: RawClient) =>
  messages
    .filter(({ message }) => message.method === 'notifications/message')
    .map(({ message }) => message.params as { level: string; logger: string; data: string });

function firstWarning(client: RawClient) {
  return eventually(() => {
    const [first] = warnings(client);
    if (first === undefined) throw new Error('no warning so far');
    return first;
  }, 20_000);
}

async function mistakesInPs(house: Household): Promise<string[]> {
  const { workbenches } = JSON.parse((await house.run('ps', '--json')).stdout);
  return workbenches.flatMap(({ mistakes }: { mistakes: string[] }) => mistakes);
}

describe.each(['serve', 'attach'] as const)('while a client is served by %s, an entry that becomes wrong', (way) => {
  it('stops its server and no other, and is told to the client and by ps, until it is right again', async () => {
    const house = openHousehold({ config: toFile(right) });
    const client = house[way]();
    await greet(client);
    const [steady, other] = [await pidOf(client, 'steady'), await pidOf(client, 'other')];

    writeFileSync(house.configPath, toFile(mistyped));
    const warned = await firstWarning(client);
    expect(warned).toMatchObject({ level: 'warning', logger: 'mcp-workbench' });
    expect(warned.data).toMatch(/server "other": unknown key "toolFilter".*line \d+.*Write "toolFilters".*\[WB1401\]/);
    await waitUntilDead([other]);
    expect(await pidOf(client, 'steady')).toBe(steady);
    expect(textOf(await call(client, 'other:echo'))).toMatch(/'other'.*unknown key "toolFilter".*\[WB1401\]/);
    await eventually(async () => /server "other".*\[WB1401\]/.test((await mistakesInPs(house)).join()), 20_000);
    if (way === 'attach') expect((await house.status()).mistakes).toEqual([expect.stringContaining('[WB1401]')]);

    writeFileSync(house.configPath, toFile(right));
    await eventually(
      async () => 'result' in (await call(client, 'other:pid')) && (await pidOf(client, 'other')) > 0,
      20_000,
    );
    expect(await pidOf(client, 'steady')).toBe(steady);
    await eventually(async () => (await mistakesInPs(house)).length === 0, 20_000);
    expect(warnings(client)).toHaveLength(1);
    await client.close();
  }, 60_000);

  it('in a file that cannot be used changes nothing, and is told all the same', async () => {
    const house = openHousehold({ config: toFile(right) });
    const client = house[way]();
    await greet(client);
    const pids = [await pidOf(client, 'steady'), await pidOf(client, 'other')];
    writeFileSync(house.configPath, '{ "mcpServers": {');
    const warned = await firstWarning(client);
    expect(warned.data).toMatch(/cannot be used as it is now.*workbench-config\.json:1:.*\[WB1403\]/);
    expect([await pidOf(client, 'steady'), await pidOf(client, 'other')]).toEqual(pids);
    await eventually(async () => /\[WB1403\]/.test((await mistakesInPs(house)).join()), 20_000);
    await client.close();
  }, 60_000);
});

describe('a server that is left out from the start', () => {
  it('a server that is left out from the start stands in the instructions, on stderr, in list and in ps', async () => {
    const house = openHousehold({ config: toFile(mistyped) });
    const client = house.serve();
    const { instructions } = await greet(client);
    expect(instructions).toMatch(
      /tell the user:\n- server "other" \[WB1401\]: unknown key "toolFilter".*Write "toolFilters"/,
    );
    expect(client.stderr).toMatch(/workbench-config\.json:\d+:\d+ {2}unknown key "toolFilter"/);
    expect(client.stderr).toContain('left out because of mistakes in the configuration: server "other" (WB1401)');
    await eventually(async () => /\[WB1401\]/.test((await mistakesInPs(house)).join()), 20_000);
    const list = await house.run('list', '--config', house.configPath, '--json');
    const found = JSON.parse(list.stdout).servers.map(({ name, state, failure }: JsonObject) => ({
      name,
      state,
      failure,
    }));
    expect(found).toMatchObject([
      { name: 'steady', state: 'ready' },
      {
        name: 'other',
        state: 'failing',
        failure: { code: 'WB1401', fix: 'Write "toolFilters" instead of "toolFilter".' },
      },
    ]);
    await client.close();
  });

  it('a server that is left out from the start makes check and config validate exit with 2, with line and column; check looks at the others all the same', async () => {
    const house = openHousehold({ config: toFile(mistyped) });
    const place = ['--config', house.configPath];
    const shown = await house.run('check', ...place);
    expect(shown.code).toBe(2);
    expect(shown.stdout).toMatch(/✗ configuration .*1 mistake\n/);
    expect(shown.stdout).toMatch(/steady .*\n(?:.*\n)* {2}✓ tools/);
    expect(shown.stdout).toMatch(/\nother .*\n {2}✗ configuration {3}WB1401\n/);
    const problem = { code: 'WB1401', path: 'mcpServers.other.toolFilter', line: 14, column: 7 };
    const checked = await house.run('check', ...place, '--json');
    expect([checked.code, JSON.parse(checked.stdout).config.problems]).toMatchObject([2, [problem]]);
    const valid = await house.run('config', 'validate', ...place, '--json');
    expect([valid.code, JSON.parse(valid.stdout)]).toMatchObject([2, { valid: false, problems: [problem] }]);
  });

  it('a server that is left out from the start can be told from the others by call and auth', async () => {
    const house = openHousehold({ config: toFile(mistyped) });
    const place = ['--config', house.configPath];
    expect((await house.run('call', 'steady.echo', 'text=hi', ...place)).code).toBe(0);
    expect(await house.run('call', 'other.echo', ...place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('WB1401'),
    });
    expect(await house.run('auth', 'status', 'other', ...place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('WB1401'),
    });
  });
});

describe('a mistake in what guards HTTP', () => {
  const config = toFile(right, { auth: { isuer: 'https://login.example' } });

  it('a mistake in what guards HTTP keeps the service from starting, at once', async () => {
    const client = openHousehold({ config }).serve(['--http=0']);
    expect((await client.exited).code).toBe(2);
    expect(client.stderr).toContain('WB1401');
    expect(client.stderr).not.toContain('listens at');
  });

  it('a mistake in what guards HTTP does not concern a pipe, which is served and told', async () => {
    const client = openHousehold({ config }).serve();
    await greet(client);
    expect(await pidOf(client, 'steady')).toBeGreaterThan(0);
    expect(client.stderr).toContain('auth.isuer (WB1401)');
    await client.close();
  });
});
