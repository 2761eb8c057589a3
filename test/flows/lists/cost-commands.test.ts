import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareProgram, programPath } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';

const mcpServers = { old: fixture('raw-legacy'), new: fixture('raw-modern') };

describe('what tools cost, and which words find them', () => {
  let run: (...argv: string[]) => { code: number | null; stdout: string; stderr: string };

  beforeAll(() => {
    const { configPath, env } = prepareProgram({ config: { mode: 'search', mcpServers } });
    run = (...argv) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [programPath, ...argv, '--config', configPath], {
        env,
        encoding: 'utf8',
      });
      return { code: status, stdout, stderr };
    };
  });

  it('tokens measures every mode, and mode search costs less than all tools', () => {
    const { code, stdout } = run('tokens', '--json');
    expect(code).toBe(0);
    const { modes, servers, counted } = JSON.parse(stdout);
    expect(counted).toBe('estimate');
    expect(modes.map(({ mode }: { mode: string }) => mode)).toEqual(['flat', 'meta', 'dynamic', 'search']);
    expect(servers.map(({ server }: { server: string }) => server).sort()).toEqual(['new', 'old']);
    for (const { start, list, instructions } of modes) expect(start).toBe(list + instructions);
    expect(modes[3].later.what).toBe('search');
  });

  it('search finds a tool by its words, without starting what is stored', () => {
    run('list', '--quiet');
    const { code, stdout } = run('search', 'echo', '--toolbox', 'old', '--why', '--json');
    expect(code).toBe(0);
    const { tools } = JSON.parse(stdout);
    expect(tools[0]).toMatchObject({ address: { toolbox: 'old', server: 'old', name: 'echo' }, state: 'known' });
    expect(tools[0].why[0]).toMatchObject({ word: 'echo', found: [{ word: 'echo', kind: 'same' }] });
  });
});
