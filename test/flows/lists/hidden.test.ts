// @module-tag large
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { type ProgramOptions, prepareProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { eras, resultOf, startEra, textOf } from '../support.ts';

const bad = fixture('hostile', { LIST: 'hidden characters' });
const own = 'se\u200bcret is honest';
/** Whatever a terminal or a reader must not get: escapes, controls, invisible and direction-changing characters. */
const unsafe = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]|(?!\n)\p{Cc}/u;

async function toolsOf(client: Awaited<ReturnType<typeof startEra>>): Promise<JsonObject[]> {
  return resultOf(await client.ask('tools/list')).tools as JsonObject[];
}

describe.each(eras)('a tool with hidden characters, for a client of the %s era', (era) => {
  it('is listed without them in mode flat, and called by the name its server knows', async () => {
    const client = await startEra(era, { config: { mcpServers: { bad } } });
    const shown = (await toolsOf(client)).find(({ name }) => name === 'bad:secret');
    expect(shown).toMatchObject({
      title: 'Title',
      description: 'first\n[2Jsecond',
      inputSchema: { properties: { a: { description: 'xy' } } },
    });
    expect(textOf(await client.call('bad:secret'))).toBe(own);
  });

  it('is opened without them in mode meta, and used under either name', async () => {
    const client = await startEra(era, { config: { toolboxes: { box: { mcpServers: { bad } } } } });
    const opened = await client.call('open_toolbox', { toolbox: 'box' });
    expect(textOf(opened)).not.toMatch(unsafe);
    expect(textOf(opened)).toContain('"name":"secret"');
    for (const name of ['secret', 'se\u200bcret'])
      expect(textOf(await client.call('use_tool', { tool: { toolbox: 'box', server: 'bad', name } }))).toBe(own);
  });
});

describe('a tool with hidden characters', () => {
  it('a tool with hidden characters is listed without them in mode dynamic, and called by the name its server knows', async () => {
    const client = await startEra('legacy', {
      config: { mode: 'dynamic', toolboxes: { box: { mcpServers: { bad } } } },
    });
    const opened = await client.call('open_toolbox', { toolbox: 'box' });
    expect(JSON.stringify(opened)).not.toMatch(unsafe);
    expect(JSON.stringify(await toolsOf(client))).not.toMatch(unsafe);
    expect(textOf(await client.call('box__bad__secret'))).toBe(own);
  });

  it('a tool with hidden characters collides with the tool of another server that it looks like, and neither is shown', async () => {
    const other = fixture('hostile', { LIST: 'hidden characters' });
    const client = await startEra('legacy', {
      config: { mcpServers: { bad: { ...bad, prefix: false }, other: { ...other, prefix: false } } },
    });
    expect((await toolsOf(client)).map(({ name }) => name)).not.toContain('secret');
    expect(client.stderr).toContain('WB1701');
  });

  it('a tool with hidden characters keeps its results as they are', async () => {
    const client = await startEra('legacy', { config: { mcpServers: { bad } } });
    expect(textOf(await client.call('bad:secret'))).toContain('\u200b');
  });
});

describe.each(eras)('prompts and resources with hidden characters of a %s server', (era) => {
  it('are shown without them and asked for as their server knows them', async () => {
    const server = fixture(`raw-${era}`, { OFFERS: 'prompts,resources', HIDDEN: 1 });
    const client = await startEra('legacy', { config: { mcpServers: { server } } });
    const prompts = resultOf(await client.ask('prompts/list'));
    const resources = resultOf(await client.ask('resources/list'));
    expect(JSON.stringify([prompts, resources])).not.toMatch(unsafe);
    const prompt = resultOf(await client.ask('prompts/get', { name: 'server:hidden' }));
    expect(JSON.stringify(prompt)).toContain('hid\u200bden');
    const found = (resources.resources as JsonObject[]).find(({ name }) => name === 'hidden');
    for (const uri of [String(found?.uri), 'note:hidden'])
      expect(JSON.stringify(await client.ask('resources/read', { uri }))).toContain('text of note:hid\u2060den');
  });
});

describe('what our own commands print of a hostile server', () => {
  const run = (args: readonly string[], options: ProgramOptions = {}) => {
    const config = { mcpServers: { bad } };
    const start = prepareProgram({ config, ...options });
    const { command, env, dir, configPath } = start;
    const [program = ''] = start.args;
    const env_ = { ...process.env, ...env } as NodeJS.ProcessEnv;
    const words = [program, ...args, '--config', configPath];
    return spawnSync(command, words, { env: env_, cwd: dir, encoding: 'utf8', timeout: 25_000 });
  };

  it.each([
    [['check']],
    [['check', '--json']],
    [['list']],
    [['list', '--json']],
    [['tools']],
    [['tools', '--json']],
    [['tools', '--debug']],
    [['call', 'bad.nothing\u001b[2J']],
    [['auth', 'status']],
  ])('with %j has no escape and nothing invisible in it', (args) => {
    const { stdout, stderr, status } = run(args);
    expect(status).not.toBeNull();
    expect(stdout + stderr).not.toMatch(unsafe);
  });

  it('tells of hidden characters in check', () => {
    expect(run(['check']).stdout).toMatch(/hidden characters were removed from 1 tool: 'secret'.*WB1020/);
  });

  it('names a tool as it is called on the command line', () => {
    const { stdout } = run(['tools']);
    expect(stdout).toContain('bad.secret(a?: string)');
    expect(run(['call', 'bad.secret', 'a=1']).stdout).toContain('is honest');
  });
});
