import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/index.ts';
import { failedStatus, fakeConfig, fakeEntry, fakeStatus, runFake } from '../fake-io.ts';

const note: Config['notes'][number] = {
  code: 'WB1402',
  severity: 'note',
  message: '"autoApprove" is ignored',
  path: 'mcpServers.github.autoApprove',
  offset: 0,
  length: 0,
};
const config = fakeConfig({ code: { github: 'github', postgres: 'postgres', brave: 'brave' } }, { notes: [note] });
const statuses = [
  fakeStatus('github', { notes: [{ code: 'WB1006', message: 'printed text on stdout' }] }),
  failedStatus('postgres'),
  fakeStatus('brave', { state: 'disabled' }),
];

describe('check', () => {
  it('shows every step of every server and what to do about the one that fails', async () => {
    const { code, stdout } = await runFake(['check'], { config, statuses });
    expect(code).toBe(4);
    expect(stdout).toMatchInlineSnapshot(`
      "✓ configuration  /home/me/workbench.jsonc  mode meta, 1 toolbox, 3 servers
      ! WB1402 mcpServers.github.autoApprove: "autoApprove" is ignored

      github  npx -y github
        ✓ command found
        ✓ started
        ✓ handshake       legacy, 2025-11-25, github-server 1.2.3, 0.4 s
        ✓ tools           3
        ! printed text on stdout  WB1006

      postgres  npx -y postgres
        ✓ command found
        ✓ started
        ✗ handshake       WB1004
        – tools           not tried
        postgres exited with code 1
          | boom
        Fix  Read the lines.

      brave  npx -y brave
        ⊘ disabled
      "
    `);
  });

  it('starts and shows one server when it is named, and exits with 0 when that one works', async () => {
    const { code, stdout, asked } = await runFake(['check', 'github'], { config, statuses });
    expect(code).toBe(0);
    expect(stdout).not.toContain('postgres');
    expect(stdout).toContain('1 toolbox, 3 servers');
    expect(asked.slice(1)).toEqual(['fresh', 'start all of github', 'close']);
  });

  it('gives scripts stages, failures and notes', async () => {
    const { code, stdout } = await runFake(['check', '--json'], { config, statuses });
    const value = JSON.parse(stdout);
    expect(code).toBe(4);
    expect(value.config).toEqual({
      path: '/home/me/workbench.jsonc',
      mode: 'meta',
      notes: [{ code: 'WB1402', path: 'mcpServers.github.autoApprove', message: '"autoApprove" is ignored' }],
      problems: [],
    });
    expect(value.servers[1]).toMatchObject({ name: 'postgres', state: 'failing', failure: { code: 'WB1004' } });
    expect(value.servers[1].stages.map((stage: { state: string }) => stage.state)).toEqual([
      'passed',
      'passed',
      'failed',
      'untried',
    ]);
  });

  it.each([
    [{ mode: 'flat' }, true],
    [{ mode: 'flat', separator: '__' }, false],
    [{ mode: 'flat', separator: '→' }, true],
    [{ mode: 'flat', safeNames: true }, false],
    [{ mode: 'meta' }, false],
  ] as const)('with %j says that some clients refuse the separator: %s', async (change, said) => {
    const { stdout } = await runFake(['check', 'github'], { config: { ...config, ...change }, statuses });
    expect(stdout.includes('! WB1702:')).toBe(said);
  });

  it('says of a note what to do, and its place once', async () => {
    const path = 'mcpServers.github.env.T';
    const bare = { ...note, path, message: `${path} has $TOKEN, which is passed on as it is`, fix: 'Write ${TOKEN}.' };
    const { stdout } = await runFake(['check'], { config: { ...config, notes: [bare] }, statuses });
    expect(stdout).toContain(`! WB1402: ${path} has $TOKEN, which is passed on as it is. Write \${TOKEN}.`);
  });

  it('judges the names of tools themselves, whatever the separator', async () => {
    const flat = fakeConfig({ default: { github: 'github' } }, { mode: 'flat', separator: '__' });
    const named = (publicName: string) => ({ ...fakeEntry('default/github/search'), publicName });
    const run = (names: string[]) =>
      runFake(['check', 'github'], { config: flat, statuses, entries: names.map(named) });
    expect((await run(['Microsoft Docs__tool_0', 'x__y'])).stdout).toContain('! WB1703: 1 of 2 public names');
    expect((await run([`x__${'y'.repeat(60)}`])).stdout).toContain('! WB1704: 1 of 1 public names');
    expect((await run(['github__search'])).stdout).not.toContain('WB170');
  });

  it('warns of filters that match nothing, and counts tools as clients see them', async () => {
    const { stdout } = await runFake(['check', 'github'], {
      config,
      statuses: [fakeStatus('github', { tools: 14, toolsShown: 3 })],
      idleFilters: ["The filter 'raed' matches none"],
    });
    expect(stdout).toContain("! WB1705: The filter 'raed' matches none");
    expect(stdout).toContain('tools           3 of 14');
  });

  it('warns of names that more than one tool claims', async () => {
    const { stdout } = await runFake(['check'], {
      config,
      statuses,
      collisions: ["Public name 'read' is claimed twice"],
    });
    expect(stdout).toContain("! WB1701: Public name 'read' is claimed twice");
    expect((await runFake(['check'], { config, statuses })).stdout).not.toContain('WB1701');
  });

  it('knows the names of its servers', async () => {
    const { code, stderr } = await runFake(['check', 'githib'], { config, statuses });
    expect(code).toBe(5);
    expect(stderr).toBe("✗ Server 'githib' not found.\n  Fix  Did you mean: github\n  WB1802\n");
  });
});
