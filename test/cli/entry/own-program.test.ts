import { describe, expect, it } from 'vitest';
import { findOwnProgram } from '../../../src/cli/entry/own-program.ts';

const posixFile = '/opt/lib/node_modules/mcp-workbench/dist/mcp-workbench.cjs';
const windowsRoot = 'C:\\Users\\me\\AppData\\Roaming\\npm';
const windowsFile = `${windowsRoot}\\node_modules\\mcp-workbench\\dist\\mcp-workbench.cjs`;

function find(platform: NodeJS.Platform, PATH: string, links: Record<string, string>) {
  const [node, file] = platform === 'win32' ? ['C:\\node\\node.exe', windowsFile] : ['/opt/bin/node', posixFile];
  const files = new Map([[file, file], [node, node], ...Object.entries(links)]);
  const env = platform === 'win32' ? { Path: PATH } : { PATH };
  return findOwnProgram({ node, file, env, platform, realPath: (path) => files.get(path) });
}

describe.each(['linux', 'darwin'] as const)('on %s the program is called', (platform) => {
  it.each<[string, string, Record<string, string>, string[]]>([
    ['by its name when that is it', '/opt/bin:/bin', { '/opt/bin/mcp-workbench': posixFile }, ['mcp-workbench']],
    ['by its file when it is not on the PATH', '/opt/bin:/bin', {}, ['node', posixFile]],
    [
      'by its file when another of the name comes first',
      '/bin:/opt/bin',
      { '/bin/mcp-workbench': '/other', '/opt/bin/mcp-workbench': posixFile },
      ['node', posixFile],
    ],
    [
      'by its file when only npx has it on the PATH',
      '/home/me/.npm/_npx/1a2b/node_modules/.bin:/opt/bin',
      { '/home/me/.npm/_npx/1a2b/node_modules/.bin/mcp-workbench': posixFile },
      ['node', posixFile],
    ],
    [
      'with its own Node.js when a terminal finds another',
      '/bin',
      { '/bin/node': '/old/node' },
      ['/opt/bin/node', posixFile],
    ],
    ['with its own Node.js when a terminal finds none', '', {}, ['/opt/bin/node', posixFile]],
  ])('%s', (_, path, links, words) => {
    expect(find(platform, path, links)).toEqual(words);
  });
});

describe('on Windows the program is called', () => {
  it.each<[string, string, Record<string, string>, string[]]>([
    [
      'by its name when its batch file stands beside it',
      `C:\\node;${windowsRoot}`,
      { [`${windowsRoot}\\mcp-workbench.cmd`]: 'x' },
      ['mcp-workbench'],
    ],
    ['by its file when it is not on the PATH', 'C:\\node', {}, ['node', windowsFile]],
    [
      'by its file when the batch file is of another',
      'C:\\node;C:\\other',
      { 'C:\\other\\mcp-workbench.cmd': 'x' },
      ['node', windowsFile],
    ],
    ['with its own Node.js when a terminal finds none', '', {}, ['C:\\node\\node.exe', windowsFile]],
  ])('%s', (_, path, links, words) => {
    expect(find('win32', path, links)).toEqual(words);
  });
});
