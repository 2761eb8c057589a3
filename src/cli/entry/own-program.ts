/** The words that start this program: its name where a terminal finds it under that name, otherwise Node.js and its file. */
import { realpathSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface OwnProgramFacts {
  /** The Node.js that runs it. */
  readonly node: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The file behind links; undefined when there is none. */
  realPath(path: string): string | undefined;
}

const name = 'mcp-workbench';

export function findOwnProgram(ground: OwnProgramFacts): string[] {
  const { node, file, platform, realPath } = ground;
  const folders = terminalFolders(ground);
  const { join } = pathsOf(platform);
  const isUs = (folder: string) =>
    platform === 'win32'
      ? // npm puts a batch file beside the folder of the packages.
        realPath(join(folder, `${name}.cmd`)) !== undefined &&
        isSame(realPath(join(folder, 'node_modules', name, 'dist', `${name}.cjs`)), realPath(file))
      : isSame(realPath(join(folder, name)), realPath(file));
  const first = folders.find((folder) => realPath(join(folder, platform === 'win32' ? `${name}.cmd` : name)));
  if (first !== undefined && isUs(first)) return [name];
  const program = platform === 'win32' ? 'node.exe' : 'node';
  const found = folders.map((folder) => realPath(join(folder, program))).find((path) => path !== undefined);
  return [isSame(found, realPath(node)) ? 'node' : node, file];
}

/** Folders that only a run of npm or npx has on its PATH do not count. */
function terminalFolders({ env, platform }: OwnProgramFacts): string[] {
  const { delimiter, isAbsolute } = pathsOf(platform);
  const key = Object.keys(env).find((each) => (platform === 'win32' ? each.toUpperCase() : each) === 'PATH');
  const folders = (key === undefined ? '' : (env[key] ?? '')).split(delimiter);
  return folders.filter((folder) => isAbsolute(folder) && !/[\\/](?:\.bin|_npx|node-gyp-bin)(?:[\\/]|$)/.test(folder));
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b;
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
