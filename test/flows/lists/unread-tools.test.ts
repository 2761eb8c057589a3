import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { resultOf, startEra, textOf } from '../support.ts';

const reason = 'Unauthorized: bad API key';
const refusing = fixture('raw-legacy', { REFUSAL: reason, OFFERS: 'prompts' });
const good = fixture('raw-legacy', { TOOLS: 'echo' });
const boxed = { toolboxes: { box: { description: 'Both.', mcpServers: { bad: refusing, good } } } };

function run(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const start = prepareProgram({ config: { mcpServers: { bad: refusing, good } }, args });
  return new Promise((resolve) => {
    execFile(
      start.command,
      start.args,
      { env: start.env as NodeJS.ProcessEnv, cwd: start.dir },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('a server that refuses to list its tools', () => {
  it.each([
    [['list'], 0],
    [['list', '--exit-code'], 4],
    [['check'], 4],
  ])(
    'a server that refuses to list its tools is not green for %j, which says why and exits with %d',
    async (args, expected) => {
      const { code, stdout } = await run(args);
      expect(stdout).toContain(reason);
      expect(stdout).toContain('WB1024');
      expect(stdout).toMatch(/✗ (bad|tools)/);
      expect(stdout).not.toMatch(/✓ bad/);
      expect(code).toBe(expected);
    },
  );

  it('a server that refuses to list its tools is among those that failed when its toolbox is opened, and a call of its tools gets the reason', async () => {
    const client = await startEra('legacy', { config: boxed });
    const opened = resultOf(await client.call('open_toolbox', { toolbox: 'box' })).structuredContent;
    expect(opened).toMatchObject({
      servers_connected: 1,
      servers_failed: [{ server: 'bad', reason: expect.stringContaining(reason) }],
    });
    const tool = { toolbox: 'box', server: 'bad', name: 'echo' };
    const answer = await client.call('use_tool', { tool, arguments: {} });
    expect(resultOf(answer).isError).toBe(true);
    expect(textOf(answer)).toContain(reason);
    expect(textOf(answer)).toContain('WB1024');
    await client.close();
  });

  it('a server that refuses to list its tools gives the reason to a call by a public name, and its prompts as ever', async () => {
    const client = await startEra('legacy', { config: { mcpServers: { bad: refusing, good } } });
    expect(await client.names()).toEqual(['good:echo']);
    const answer = await client.call('bad:echo');
    expect(textOf(answer)).toContain(reason);
    expect(resultOf(await client.ask('prompts/list')).prompts).not.toEqual([]);
    await client.close();
  });

  it('a server that refuses to list its tools is heard again by itself', async () => {
    const end = join(tempDir(), 'end');
    const healing = fixture('raw-legacy', { REFUSAL: reason, REFUSAL_END: end, TOOLS: 'echo' });
    const client = await startEra('legacy', { config: { mcpServers: { healing } } });
    expect(await client.names()).toEqual([]);
    writeFileSync(end, '');
    await eventually(async () => expect(await client.names()).toEqual(['healing:echo']), 15_000);
    await client.close();
  });
});
