/** Where version managers and installers put programs, for clients whose PATH does not say so. */
import { posix, win32 } from 'node:path';
import { findVariable } from '../../config/values/find-variable.ts';
import type { ServerEnvironment } from './environment.ts';

/** Relative to the home folder; `*` stands for every version, newest first. */
const inHome = [
  '.nvm/versions/node/*/bin',
  '.local/share/fnm/aliases/default/bin',
  '.local/share/fnm/node-versions/*/installation/bin',
  'Library/Application Support/fnm/aliases/default/bin',
  '.local/share/mise/shims',
  '.volta/bin',
  '.asdf/shims',
  '.local/bin',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
];

const systemWide = ['/opt/homebrew/bin', '/usr/local/bin'];

const inWindowsHome = ['.local\\bin', '.volta\\bin', '.cargo\\bin', '.bun\\bin', '.deno\\bin'];

/** Relative to a folder that a variable names. */
const behindVariable = [
  ['APPDATA', 'npm'],
  ['PROGRAMFILES', 'nodejs'],
] as const;

export interface KnownFoldersLookup {
  readonly environment: ServerEnvironment;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Names in a folder; none when it cannot be read. */
  list(folder: string): readonly string[];
}

export function findKnownFolders({ environment, home, platform, list }: KnownFoldersLookup): string[] {
  if (platform === 'win32') {
    const named = behindVariable.flatMap(([variable, rest]) => {
      const folder = findVariable(environment, variable, platform);
      return folder === undefined ? [] : [win32.join(folder, rest)];
    });
    return [...named, ...inWindowsHome.map((folder) => win32.join(home, folder))];
  }
  const own = inHome.flatMap((pattern) => {
    const [parent, rest] = pattern.split('*');
    if (rest === undefined) return [posix.join(home, pattern)];
    const folder = posix.join(home, parent ?? '');
    return [...list(folder)].sort(newestFirst).map((version) => posix.join(folder, version, rest));
  });
  return [...own, ...systemWide];
}

/** The same folders in the form a person would write, for messages. */
export function describeKnownFolders(platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? '%APPDATA%\\npm, %ProgramFiles%\\nodejs, %USERPROFILE%\\.local\\bin and their like'
    : '~/.nvm, ~/.volta/bin, ~/.local/bin, /opt/homebrew/bin, /usr/local/bin and their like';
}

function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}
