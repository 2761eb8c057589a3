// @module-tag large
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { eventually } from '../support/eventually.ts';
import { programPath } from '../support/program.ts';
import { startRaw } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { type Household, openHousehold, writeConfig } from './household.ts';

/** Runs a command on the configuration of the household. */
const ask = (house: Household, ...words: string[]) => house.run(...words, '--config', house.configPath);

const pidOf = async (house: Household, ...flags: string[]): Promise<number> => {
  const { code, stdout, stderr } = await ask(house, 'call', 'one.pid', '--json', ...flags);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout).structuredContent as { pid: number }).pid;
};

const ways = [
  [
    'the daemon',
    async (house: Household, ...flags: string[]) => {
      const daemon = house.daemon(...flags);
      await eventually(() => daemon.stderr.includes('serving'), 15_000);
      return daemon;
    },
  ],
  [
    'the HTTP service',
    async (house: Household, ...flags: string[]) => {
      const service = house.serve(['--http=0', '--token', 'a-long-token-of-mine', ...flags]);
      await eventually(() => service.stderr.includes('listens at'), 15_000);
      return service;
    },
  ],
] as const;

describe.each(ways)('commands, while %s of their configuration runs,', (name, start) => {
  it('call its servers, which keep their state, and say so', async () => {
    const house = openHousehold();
    const { pid } = await start(house);
    const first = await pidOf(house);
    expect(await pidOf(house)).toBe(first);
    expect(house.starts()).toEqual([first]);
    const { code, stdout, stderr } = await ask(house, 'call', 'pid');
    expect([code, stdout === '']).toEqual([0, false]);
    expect(stderr).toContain(`calling through ${name} (process ${pid})`);
    expect(await pidOf(house, '--fresh')).not.toBe(first);
    expect(house.starts()).toHaveLength(2);
  });

  it('list and check its servers as they are there, and start none of their own', async () => {
    const house = openHousehold();
    await start(house);
    await pidOf(house);
    const list = await ask(house, 'list', '--json');
    expect(JSON.parse(list.stdout).servers).toMatchObject([{ name: 'one', state: 'ready', era: 'legacy' }]);
    expect(JSON.parse(list.stderr).note).toContain(`asked ${name}`);
    const check = await ask(house, 'check');
    expect([check.code, check.stdout.includes('✓ handshake')]).toEqual([0, true]);
    const tools = await ask(house, 'tools', 'pid', '--json', '--quiet');
    expect([JSON.parse(tools.stdout).publicName, tools.stderr]).toEqual(['one:pid', '']);
    expect(house.starts()).toHaveLength(1);
  });

  it('show what a server has written on stderr meanwhile, without any flag', async () => {
    const house = openHousehold({ server: { STDERR_LINES: '2' } });
    await start(house);
    await pidOf(house);
    const { stdout } = await ask(house, 'check', '--json');
    expect(JSON.parse(stdout).servers[0].stderr).toContain('stderr line 2');
    expect((await ask(house, 'check', 'one')).stdout).toContain('    | stderr line 2');
  });

  it('leave a line for each call in the journal, with the name of the client and nothing of what was said', async () => {
    const house = openHousehold();
    const { pid } = await start(house);
    await ask(house, 'call', 'one.echo', 'text=never-written-down');
    await ask(house, 'call', 'one.pid', '--fresh');
    process.kill(pid, 'SIGTERM');
    const journal = await eventually(() => {
      const text = readFileSync(join(house.folder, '../log/calls.jsonl'), 'utf8');
      if (text.split('\n').length < 3) throw new Error(text);
      return text;
    }, 10_000);
    const lines = journal
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(lines.map(({ client, tool, outcome }) => [client, tool, outcome]).sort()).toEqual(
      [
        ['mcp-workbench call', 'default/one/echo', 'ok'],
        ['mcp-workbench', 'default/one/pid', 'ok'],
      ].sort(),
    );
    expect(journal).not.toContain('never-written-down');
  });

  it('report what fails with the exit code it has without', async () => {
    const config = { mcpServers: { one: fixture('raw-legacy'), gone: { command: 'no-such-command-here' } } };
    const house = openHousehold({ config });
    await start(house);
    const missing = await ask(house, 'call', 'gone.x');
    expect([missing.code, missing.stderr.includes('WB1001')]).toEqual([4, true]);
    const unknown = await ask(house, 'call', 'one.pidd');
    expect([unknown.code, unknown.stderr.includes('WB1803')]).toEqual([5, true]);
    const failing = await ask(house, 'call', 'one.fail', '--json');
    expect(failing.code).toBe(5);
    expect((await ask(house, 'check')).code).toBe(4);
  });

  it('do not use it when a variable has another value there, and say which', async () => {
    const one = { ...fixture('raw-legacy'), env: { SOME_TOKEN: '${SOME_TOKEN}' } };
    const house = openHousehold({ config: { mcpServers: { one } }, env: { SOME_TOKEN: 'here-and-there' } });
    await start(house);
    expect((await ask(house, 'list')).stderr).toContain(`asked ${name}`);
    const args = [programPath, 'list', '--config', house.configPath];
    const env = { ...house.env, SOME_TOKEN: 'only-here' };
    const { code, stderr } = await startRaw(process.execPath, args, { env, cwd: house.dir }).close(20_000);
    expect(code).toBe(0);
    expect(stderr).toContain('is not used: the variable SOME_TOKEN has a different value there');
    expect(stderr).not.toContain('only-here');
  });

  it('do not use it when it runs another version of the configuration', async () => {
    const house = openHousehold();
    await start(house, '--no-watch');
    writeConfig(house.configPath, { mcpServers: { two: fixture('raw-legacy') } });
    const { code, stdout, stderr } = await ask(house, 'list', '--json');
    expect([code, (JSON.parse(stdout).servers as JsonObject[]).map((server) => server.name)]).toEqual([0, ['two']]);
    expect(stderr).toContain('is not used: it uses another version of the configuration');
  });
});

describe('commands, while nothing runs,', () => {
  it('show what an earlier run has heard without starting it, and start what is asked for anew', async () => {
    const house = openHousehold();
    expect((await ask(house, 'tools', '--json')).code).toBe(0);
    expect(house.starts()).toHaveLength(1);
    const known = await ask(house, 'list', '--json');
    expect(JSON.parse(known.stdout).servers).toMatchObject([{ name: 'one', state: 'known' }]);
    expect((await ask(house, 'tools', 'one')).stdout).toContain('one.pid(');
    expect(house.starts()).toHaveLength(1);
    const fresh = await ask(house, 'list', '--json', '--fresh');
    expect(JSON.parse(fresh.stdout).servers).toMatchObject([{ name: 'one', state: 'ready' }]);
    expect(house.starts()).toHaveLength(2);
  });

  it('start only the server that has the tool, once the others are known', async () => {
    const config = { mcpServers: { one: fixture('raw-legacy'), demo: fixture('raw-asking') } };
    const house = openHousehold({ config });
    expect((await ask(house, 'list')).code).toBe(0);
    const { code, stderr } = await ask(house, 'call', 'pid', '--debug');
    expect(code).toBe(0);
    expect(stderr).not.toContain('"server":"demo"');
  });
});
