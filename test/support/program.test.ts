import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareProgram, programPath, repoRoot, startProgram } from './program.ts';
import { startRaw } from './raw-client.ts';
import { fixture } from './servers.ts';

// A fixture stands in for the program: what is tested here is how it is started.
const [program = ''] = fixture('raw-legacy').args;

describe('the program', () => {
  it('is the bundle of this repository', () => {
    expect(programPath).toBe(join(repoRoot, 'dist', 'mcp-workbench.cjs'));
    expect(JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))).toMatchObject({ name: 'mcp-workbench' });
  });

  it('asks for a build when it is missing', () => {
    const missing = join(repoRoot, 'dist', 'not-there.mjs');
    expect(() => prepareProgram({ program: missing })).toThrow(`${missing} is missing: run npm run build first`);
  });

  it.each([
    ['an object', { mcpServers: {} }, '{\n  "mcpServers": {}\n}'],
    ['a text', '{ // broken', '{ // broken'],
  ])('finds %s as its configuration file', (_, config, written) => {
    const { args, configPath, dir } = prepareProgram({ program, config, args: ['--mode', 'flat'] });
    expect(args).toEqual([program, '--config', configPath, '--mode', 'flat']);
    expect(dirname(configPath)).toBe(dir);
    expect(readFileSync(configPath, 'utf8')).toBe(written);
  });

  it('names no file without a configuration', () => {
    expect(prepareProgram({ program, args: ['--help'] }).args).toEqual([program, '--help']);
  });

  it('runs in its own folder with its own state and without our settings', async () => {
    process.env.WORKBENCH_CONFIG = '/somewhere/else.json';
    try {
      const client = startProgram({ program, config: {}, env: { EXTRA: 'yes' } });
      const names = ['WORKBENCH_CONFIG', 'WORKBENCH_STATE', 'EXTRA'];
      const { message } = await client.request('tools/call', { name: 'env', arguments: { names } });
      expect(message.result).toMatchObject({
        structuredContent: {
          values: { WORKBENCH_CONFIG: null, WORKBENCH_STATE: join(client.dir, 'state'), EXTRA: 'yes' },
        },
      });
      expect(await client.close()).toMatchObject({ code: 0, stderr: '' });
    } finally {
      delete process.env.WORKBENCH_CONFIG;
    }
  });
});

describe('a command that does not exist', () => {
  it('fails what is asked of it, at once and by name', async () => {
    const client = startRaw('no-such-command-anywhere', []);
    await expect(client.request('ping')).rejects.toThrow('no-such-command-anywhere');
    await expect(client.request('ping')).rejects.toThrow('no-such-command-anywhere');
    await expect(client.close()).rejects.toThrow('ENOENT');
  });
});
