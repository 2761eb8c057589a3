/**
 * Lists the files that a local server consists of, as far as its definition tells without running anything: when the stamp of one
 * changes, the server has another version. Only programs count; data changes all the time.
 */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import type { StdioTransport } from '../../config/model/config.ts';

export interface FileLookup {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

export function systemFileLookup(): FileLookup {
  return { env: process.env, platform: process.platform, home: homedir() };
}

/** Extensions of what a command runs. */
const program = /\.(?:[cm]?js|[cm]?ts|[jt]sx|py|pyz|rb|php|phar|pl|lua|sh|bash|zsh|ps1|bat|cmd|exe|jar|dll|wasm)$/i;

/** The places to look at; most of them need not exist. */
export function listProgramFiles({ command, args, cwd }: StdioTransport, lookup: FileLookup): string[] {
  const { basename, dirname, isAbsolute, join, resolve } = lookup.platform === 'win32' ? win32 : posix;
  const isPath = isAbsolute(command) || command.includes('/') || command.includes('\\');
  const name = basename(command).replace(/\.(?:cmd|exe)$/i, '');
  const scripts = args.filter((arg) => program.test(arg) && !arg.startsWith('-')).map((arg) => resolve(cwd, arg));
  // When a package is upgraded, often only files other than the started one change.
  const beside = scripts.flatMap((script) => {
    const packageFile = /\.pyz?$/i.test(script) ? 'pyproject.toml' : 'package.json';
    return [dirname(script), dirname(dirname(script))].map((folder) => join(folder, packageFile));
  });
  return [
    ...(isPath ? [resolve(cwd, command)] : []),
    ...scripts,
    ...beside,
    ...(name === 'npx' ? listNpxFiles(findPackage(args), { ...lookup, cwd }) : []),
    ...(name === 'uvx' ? listUvFiles(findPackage(args), lookup) : []),
  ];
}

/** What is to be run: the first argument that is not a flag. */
function findPackage(args: readonly string[]): string | undefined {
  const named = args.findIndex((arg) => arg === '--package' || arg === '-p' || arg === '--from');
  return named >= 0 ? args[named + 1] : args.find((arg) => !arg.startsWith('-'));
}

/** The package where npx finds it: installed for the folder, or in its cache, which is named by a hash of what was asked for. */
function listNpxFiles(spec: string | undefined, { env, platform, home, cwd }: FileLookup & { cwd: string }): string[] {
  const name = spec === undefined ? undefined : /^(@[^/@]+\/[^/@]+|[^/@]+)(?:@|$)/.exec(spec)?.[1];
  if (spec === undefined || name === undefined) return [];
  const { join } = platform === 'win32' ? win32 : posix;
  const usual = platform === 'win32' ? join(env.LOCALAPPDATA ?? home, 'npm-cache') : join(home, '.npm');
  const hash = createHash('sha512').update(spec).digest('hex').slice(0, 16);
  const folders = [cwd, join(env.npm_config_cache ?? env.NPM_CONFIG_CACHE ?? usual, '_npx', hash)];
  return folders.map((folder) => join(folder, 'node_modules', ...name.split('/'), 'package.json'));
}

/** Where `uv tool install` says what it has installed. */
function listUvFiles(spec: string | undefined, { env, platform, home }: FileLookup): string[] {
  const name = spec === undefined ? undefined : /^[A-Za-z0-9._-]+/.exec(spec)?.[0];
  if (name === undefined) return [];
  const { join } = platform === 'win32' ? win32 : posix;
  const data = platform === 'win32' ? (env.APPDATA ?? home) : (env.XDG_DATA_HOME ?? join(home, '.local', 'share'));
  const tools = env.UV_TOOL_DIR ?? join(data, 'uv', 'tools');
  return [join(tools, name, 'uv-receipt.toml')];
}
