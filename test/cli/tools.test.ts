import { describe, expect, it } from 'vitest';
import { failedStatus, fakeConfig, fakeEntry, fakeStatus, runFake } from './fake-io.ts';

const config = fakeConfig({ code: { github: 'github', files: 'files' }, web: { files: 'files' } });
const statuses = [fakeStatus('github'), fakeStatus('files')];
const entries = [
  fakeEntry('code/github/search', { query: { type: 'string' }, limit: { type: 'integer' } }, ['query']),
  fakeEntry('code/files/read', { path: { type: 'string' } }, ['path']),
  fakeEntry('web/files/read', { path: { type: 'string' } }, ['path']),
];

describe('tools', () => {
  it('shows every toolbox with signatures', async () => {
    const { code, stdout } = await runFake(['tools'], { config, statuses, entries });
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "@code  About code
      github.search(query: string, limit?: number)  Does search.
      files.read(path: string)  Does read.

      @web  About web
      files.read(path: string)  Does read.
      "
    `);
  });

  it('starts and shows only the server that was named', async () => {
    const { stdout, configs } = await runFake(['tools', 'github'], { config, statuses, entries });
    expect(stdout).toBe('github.search(query: string, limit?: number)  Does search.\n');
    expect([...(configs[0]?.servers.keys() ?? [])]).toEqual(['github']);
  });

  it('starts and shows only the toolbox that was named', async () => {
    const { stdout, configs } = await runFake(['tools', '@web'], { config, statuses, entries });
    expect(stdout).toBe('files.read(path: string)  Does read.\n');
    expect([...(configs[0]?.toolboxes.keys() ?? [])]).toEqual(['web']);
  });

  it('gives scripts the untouched definitions with address and public name', async () => {
    const { stdout } = await runFake(['tools', 'github', '--json'], { config, statuses, entries });
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      tools: [{ address: entries[0]?.address, publicName: 'github:search', tool: entries[0]?.tool }],
    });
  });

  it('cuts the sentence, never the signature, to the terminal', async () => {
    const options = { config, statuses, entries, tty: { stdout: true }, env: { NO_COLOR: '1' } };
    const shown = async (columns: number) => (await runFake(['tools', 'github'], { ...options, columns })).stdout;
    expect(await shown(58)).toBe('github.search(query: string, limit?: number)  Does search.\n');
    expect(await shown(57)).toBe('github.search(query: string, limit?: number)\n');
    expect(await shown(20)).toBe('github.search(query: string, limit?: number)\n');
  });

  it.each([
    ['githib', 'WB1802', 5, 'Did you mean: github'],
    ['@wed', 'WB1801', 5, 'Did you mean: web'],
    ['@__proto__', 'WB1801', 5, 'There are: code, web.'],
  ])('refuses %s with %s', async (wanted, errorCode, exit, fix) => {
    const { code, stderr } = await runFake(['tools', wanted, '--json'], { config, statuses, entries });
    expect(code).toBe(exit);
    expect(JSON.parse(stderr).error).toMatchObject({ code: errorCode, exit, fix });
  });

  it.each([
    [[], 0],
    [['github'], 4],
  ])('mentions a server that is missing; with %j it exits with %i', async (named, exit) => {
    const { code, stderr } = await runFake(['tools', ...named], {
      config,
      statuses: [failedStatus('github')],
      entries,
    });
    expect(stderr).toBe('✗ github: github exited with code 1  mcp-workbench check github\n');
    expect(code).toBe(exit);
  });
});
