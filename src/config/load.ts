/** Finds, reads and parses the configuration file. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { WorkbenchError } from '../base/errors.ts';
import type { Config, Mode } from './config.ts';
import { parseConfig } from './parse.ts';
import { planSearch } from './paths.ts';
import { smallestFile } from './smallest-file.ts';

export interface LoadOptions {
  /** `--config`. */
  readonly flag?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly separator?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home?: string | undefined;
  /** Told of each file right before it is read. */
  onRead?(path: string): void;
}

export function loadConfig(options: LoadOptions): Config {
  return readConfig(getConfigFile(options), options, (path) => {
    options.onRead?.(path);
    return readFileSync(path);
  });
}

export type ReadBytes = (path: string) => Buffer;

/** A file that was found before; `read` gets it and what it names. */
export function readConfig(
  path: string,
  { mode, separator, env, home, cwd }: Omit<LoadOptions, 'flag' | 'cwd'> & Partial<Pick<LoadOptions, 'cwd'>>,
  read: ReadBytes,
): Config {
  const readText = (named: string) => read(named).toString('utf8');
  return parseConfig(readConfigFile(path, read), {
    path,
    dir: dirname(path),
    cwd,
    mode,
    separator,
    env,
    home,
    readText,
  });
}

function getConfigFile({ flag, env, cwd, home = homedir() }: LoadOptions): string {
  const { named, places } = planSearch({ flag, env, cwd, home, platform: process.platform, exists: existsSync });
  if (named !== undefined) {
    if (existsSync(named.path)) return named.path;
    throw missing(`the configuration file ${named.path} does not exist (named by ${named.by})`);
  }
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw missing(['no configuration file was found; looked for', ...places.map((place) => `  ${place}`)].join('\n'));
}

function missing(message: string): WorkbenchError {
  return new WorkbenchError('WB1407', `${message}\n\nThe smallest file that works:\n${smallestFile}`);
}

function readConfigFile(path: string, read: ReadBytes): string {
  let bytes: Buffer;
  try {
    bytes = read(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw wrongEncoding(path, 'UTF-16');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrongEncoding(path, 'another encoding than UTF-8');
  }
}

function unreadable(path: string, cause: unknown): WorkbenchError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'EISDIR') {
    const fix = 'Name the file itself, for example <folder>/workbench-config.json.';
    return new WorkbenchError('WB1407', `the configuration ${path} is a folder, not a file`, { fix, cause });
  }
  if (code === 'ENOENT')
    return new WorkbenchError('WB1407', `the configuration file ${path} does not exist`, { cause });
  const why = code === 'EACCES' || code === 'EPERM' ? 'you may not read it' : code || 'unknown reason';
  const fix = 'Check the permissions of the file.';
  return new WorkbenchError('WB1407', `the configuration file ${path} cannot be read: ${why}`, { fix, cause });
}

function wrongEncoding(path: string, encoding: string): WorkbenchError {
  const fix = 'Save the file as UTF-8. In PowerShell: Set-Content -Encoding utf8.';
  return new WorkbenchError('WB1403', `the configuration file ${path} is in ${encoding}`, { fix });
}
