import { createHash } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { listingBasis, versionOf } from '../../../src/downstream/listing/fingerprint.ts';
import { listProgramFiles } from '../../../src/downstream/process/program-files.ts';
import { tempDir } from '../../support/processes.ts';

const linux = { env: {}, platform: 'linux', home: '/home/me' } as const;
const list = (command: string, args: string[], ground: Parameters<typeof listProgramFiles>[1] = linux) =>
  listProgramFiles(
    { kind: 'stdio', command, args, env: {}, cwd: ground.platform === 'win32' ? 'C:\\w' : '/w' },
    ground,
  );
const hash = (spec: string) => createHash('sha512').update(spec).digest('hex').slice(0, 16);

describe('the files of a server', () => {
  it.each<[string, string[], string[]]>([
    ['node', ['dist/a.mjs', '--x'], ['/w/dist/a.mjs', '/w/dist/package.json', '/w/package.json']],
    ['python3', ['/s/server.py'], ['/s/server.py', '/s/pyproject.toml', '/pyproject.toml']],
    ['./bin/server', [], ['/w/bin/server']],
    ['/opt/bin/github-mcp-server', ['stdio'], ['/opt/bin/github-mcp-server']],
    ['some-server', ['--db', 'data.sqlite', 'notes.json'], []],
    [
      'npx',
      ['-y', '@scope/pkg@latest', '/folder'],
      [
        '/w/node_modules/@scope/pkg/package.json',
        `/home/me/.npm/_npx/${hash('@scope/pkg@latest')}/node_modules/@scope/pkg/package.json`,
      ],
    ],
    ['uvx', ['mcp-server-time==1.0'], ['/home/me/.local/share/uv/tools/mcp-server-time/uv-receipt.toml']],
  ])('started by %s %j are these', (command, args, files) => {
    expect(list(command, args)).toEqual(files);
  });

  it('are found where Windows and macOS have them', () => {
    const env = { LOCALAPPDATA: 'C:\\Local', APPDATA: 'C:\\Roaming' };
    const windows = { env, platform: 'win32', home: 'C:\\me' } as const;
    const cached = `C:\\Local\\npm-cache\\_npx\\${hash('pkg')}\\node_modules\\pkg\\package.json`;
    expect(list('npx.cmd', ['-y', 'pkg'], windows)).toContain(cached);
    expect(list('uvx.exe', ['pkg'], windows)).toEqual(['C:\\Roaming\\uv\\tools\\pkg\\uv-receipt.toml']);
    expect(list('npx', ['pkg'], { ...linux, platform: 'darwin', home: '/Users/me' })[1]).toContain(
      '/Users/me/.npm/_npx/',
    );
  });
});

describe('the ground that a kept listing stands on', () => {
  const setUp = () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'dist'));
    const [script, manifest] = [join(dir, 'dist', 'server.mjs'), join(dir, 'package.json')];
    for (const file of [script, manifest]) writeFileSync(file, '1');
    const { servers } = parseConfigValue(
      { mcpServers: { s: { command: 'node', args: ['dist/server.mjs', 'data.json'] } } },
      { dir, env: {} },
    );
    const [definition] = [...servers.values()] as [never];
    return { dir, script, manifest, version: () => versionOf(definition) };
  };

  it.each(['script', 'manifest'] as const)('is another one when the %s is', async (which) => {
    const world = setUp();
    const before = world.version();
    expect(world.version()).toBe(before);
    writeFileSync(world[which], '22');
    utimesSync(world[which], 1, 1);
    // A go through all servers looks at each file once; this is the next one.
    await Promise.resolve();
    expect(world.version()).not.toBe(before);
  });

  it('stays the same when data changes', () => {
    const { dir, version } = setUp();
    const before = version();
    writeFileSync(join(dir, 'data.json'), '{}');
    expect(version()).toBe(before);
  });

  it('is another one for a client that can do something else', () => {
    expect(listingBasis('v', { elicitation: {} })).not.toBe(listingBasis('v', {}));
    expect(listingBasis('v', {})).toBe(listingBasis('v', {}));
  });
});
