import { describe, expect, it } from 'vitest';
import { findOwnEntry } from '../../../src/downstream/connection/own-program.ts';

const unixFiles = new Map([
  ['/opt/wb/dist/mcp-workbench.cjs', '/opt/wb/dist/mcp-workbench.cjs'],
  ['/usr/bin/mcp-workbench', '/opt/wb/dist/mcp-workbench.cjs'],
  ['/usr/bin/wb', '/opt/wb/dist/mcp-workbench.cjs'],
  ['/usr/bin/node', '/usr/bin/node'],
  ['/srv/gateway.mjs', '/srv/gateway.mjs'],
  ['/tmp/mcp-workbench.log', '/tmp/mcp-workbench.log'],
  ['/home/me/dist/mcp-workbench.cjs', '/home/me/dist/mcp-workbench.cjs'],
]);

function find(line: readonly string[], options: { env?: Record<string, string>; platform?: NodeJS.Platform } = {}) {
  const [command = '', ...args] = line;
  const { env = {}, platform = 'linux' } = options;
  const isWindows = platform === 'win32';
  return findOwnEntry(
    { kind: 'stdio', command, args, env, cwd: isWindows ? 'C:\\work' : '/home/me' },
    {
      platform,
      home: isWindows ? 'C:\\Users\\me' : '/home/me',
      path: '/usr/bin:/bin',
      findFile: (path) =>
        isWindows ? (/mcp-workbench\.(cjs|cmd)$/i.test(path) ? path : undefined) : unixFiles.get(path),
    },
  );
}

describe('a command that starts this program', () => {
  it.each([
    [['node', '/opt/wb/dist/mcp-workbench.cjs', 'serve']],
    [['/usr/bin/node', '--enable-source-maps', 'dist/mcp-workbench.cjs']],
    [['node', '-r', './hook.cjs', '~/dist/mcp-workbench.cjs']],
    [['mcp-workbench', 'serve']],
    [['/usr/bin/mcp-workbench', 'attach']],
    [['wb']],
    [['/usr/bin/wb', 'attach']],
    [['npx', '-y', 'mcp-workbench@latest', 'serve']],
    [['npx', '-p', 'mcp-workbench', 'mcp-workbench']],
    [['npm', 'exec', '--', 'mcp-workbench', 'serve']],
    [['pnpm', 'dlx', 'mcp-workbench@0.1.0']],
    [['bunx', 'mcp-workbench']],
    [['sh', '-c', 'exec mcp-workbench serve']],
    [['bash', '-lc', 'cd /srv && FOO=1 mcp-workbench serve']],
    [['bash', '-c', 'mcp-workbench']],
    [['sh', '-c', "'/opt/wb/dist/mcp-workbench.cjs' serve"]],
    [['env', 'A=1', 'B=2', 'mcp-workbench']],
    [['nice', '-n', '5', 'mcp-workbench', 'serve']],
    [['timeout', '30', 'node', '/opt/wb/dist/mcp-workbench.cjs']],
    [['op', 'run', '--env-file=x', '--', 'mcp-workbench', 'serve']],
    [['npx', 'supergateway', '--stdio', 'mcp-workbench serve']],
    [['node', '/srv/gateway.mjs', 'node', '/opt/wb/dist/mcp-workbench.cjs']],
  ])('is recognised in %j', (line) => {
    expect(find(line)).toEqual({ config: undefined });
  });

  it.each([
    [['cmd', '/c', 'mcp-workbench', 'serve']],
    [['cmd.exe', '/C', 'npx -y mcp-workbench serve']],
    [['C:\\npm\\MCP-Workbench.cmd']],
    [['mcp-workbench.cmd', 'serve']],
    [['node', 'C:\\npm\\node_modules\\mcp-workbench\\dist\\mcp-workbench.cjs']],
    [['powershell', '-Command', 'mcp-workbench serve']],
  ])('is recognised on Windows in %j', (line) => {
    expect(find(line, { platform: 'win32' })).toEqual({ config: undefined });
  });

  it.each([
    [['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me/mcp-workbench']],
    [['mcp-server-git', '--repository', 'mcp-workbench']],
    [['node', '/srv/gateway.mjs', '--log', '/tmp/mcp-workbench.log']],
    [['node', '/srv/gateway.mjs', '--about', 'mcp-workbench is another program']],
    [['npx', 'mcp-workbench-plugin']],
    [['uvx', 'some-server', '--name', 'mcp-workbench']],
    [['docker', 'run', '-i', 'mcp/time']],
  ])('is not seen in %j', (line) => {
    expect(find(line)).toBeUndefined();
  });

  it('has the configuration that its arguments, a variable in front of it or its environment name', () => {
    expect(find(['mcp-workbench', 'serve', '--config', 'b.json'])?.config).toBe('/home/me/b.json');
    expect(find(['mcp-workbench', '--config=~/b.json'])?.config).toBe('/home/me/b.json');
    expect(find(['sh', '-c', 'WORKBENCH_CONFIG=/etc/b.json mcp-workbench serve'])?.config).toBe('/etc/b.json');
    expect(find(['sh', '-c', 'mcp-workbench --config "/etc/my b.json" serve'])?.config).toBe('/etc/my b.json');
    expect(find(['mcp-workbench'], { env: { WORKBENCH_CONFIG: '/etc/c.json' } })?.config).toBe('/etc/c.json');
    expect(find(['sh', '-c', 'mcp-workbench serve; other --config x'])?.config).toBeUndefined();
  });
});
