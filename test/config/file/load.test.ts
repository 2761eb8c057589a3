import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallestFile } from '../../../src/config/document/smallest-file.ts';
import { loadConfig } from '../../../src/config/file/load.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'workbench-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = (more: Partial<Parameters<typeof loadConfig>[0]> = {}) =>
  loadConfig({ env: {}, cwd: folder, home: join(folder, 'home'), ...more });

describe('loading the configuration', () => {
  it('finds the file in the current folder and resolves paths against its folder', () => {
    const file = join(folder, 'workbench-config.json');
    writeFileSync(file, '\ufeff{"mcpServers": {"a": {"command": "./run", "envFile": ".env"}}}');
    writeFileSync(join(folder, '.env'), 'A=ä\n');
    const config = load({ mode: 'meta', separator: '/' });
    expect(config).toMatchObject({ path: file, mode: 'meta', separator: '/' });
    expect(config.servers.get('a')?.transport).toEqual({
      kind: 'stdio',
      command: join(folder, 'run'),
      args: [],
      env: { A: 'ä' },
      cwd: folder,
    });
  });

  it('reads the smallest file it advises', () => {
    writeFileSync(join(folder, 'x.json'), smallestFile);
    expect(load({ flag: 'x.json' }).servers.size).toBe(1);
  });

  it('that finds nothing says where it looked and gives a file to paste', () => {
    expect(() => load()).toThrow(expect.objectContaining({ code: 'WB1407' }));
    expect(() => load()).toThrow(join(folder, 'workbench.jsonc'));
    expect(() => load()).toThrow(join(folder, 'workbench-config.json'));
    expect(() => load()).toThrow(smallestFile);
  });

  it.each([
    ['--config', { flag: 'gone.json' }],
    ['WORKBENCH_CONFIG', { env: { WORKBENCH_CONFIG: 'gone.json' } }],
  ])('says that the file named by %s does not exist', (by, more) => {
    expect(() => load(more)).toThrow(`${join(folder, 'gone.json')} does not exist (named by ${by})`);
    expect(() => load(more)).toThrow(expect.objectContaining({ code: 'WB1407' }));
  });

  it('refuses a folder', () => {
    mkdirSync(join(folder, 'x'));
    expect(() => load({ flag: 'x' })).toThrow(expect.objectContaining({ code: 'WB1407' }));
    expect(() => load({ flag: 'x' })).toThrow('is a folder, not a file');
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'UTF-16'],
    ['UTF-16, the other way round', Buffer.from('\ufeff{}', 'utf16le').swap16(), 'UTF-16'],
    ['Latin-1', Buffer.from('{"ä": 1}', 'latin1'), 'another encoding than UTF-8'],
  ])('refuses a file in %s and says how to save it', (_, bytes, text) => {
    writeFileSync(join(folder, 'workbench.json'), bytes);
    expect(() => load()).toThrow(expect.objectContaining({ code: 'WB1403', fix: expect.stringContaining('UTF-8') }));
    expect(() => load()).toThrow(text);
  });

  it('names the file and the place of a mistake', () => {
    writeFileSync(join(folder, 'workbench.json'), '{\n"mcpServers": 1}');
    expect(() => load()).toThrow(`${join(folder, 'workbench.json')}:2:15  mcpServers must be an object`);
  });
});
