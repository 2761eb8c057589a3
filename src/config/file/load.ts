/** Finds, reads and parses the configuration file. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { codeOf } from '../../base/errors/code-of.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { smallestFile } from '../document/smallest-file.ts';
import type { Config, Mode } from '../model/config.ts';
import { parseConfig } from '../read/parse.ts';
import { type Trust, toIsOurs } from '../source/disk.ts';
import { planSearch } from '../source/paths.ts';
import { readConfigBytes } from '../source/read-config-bytes.ts';

export interface LoadOptions extends Trust {
  /** `--config`. */
  readonly flag?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly separator?: string | undefined;
  readonly cwd: string;
  readonly home?: string | undefined;
  /**
   * Returns the parts without mistakes, with the rest in `leftOut`; throws when no server is left. Without this option any
   * mistake throws.
   */
  readonly leaveOut?: boolean | undefined;
}

export function loadConfig(options: LoadOptions): Config {
  const config = readConfig(getConfigFile(options), options, (path) => readConfigBytes(path, options));
  if (config.leftOut !== undefined && config.servers.size === 0) throw config.leftOut.error;
  return config;
}

export type ReadBytes = (path: string) => Buffer;

/** Loads a file that was found before; `read` is called for it and for the files it names. */
export function readConfig(
  path: string,
  {
    mode,
    separator,
    env,
    home,
    leaveOut,
    cwd,
  }: Omit<LoadOptions, 'flag' | 'cwd' | 'trust'> & Partial<Pick<LoadOptions, 'cwd'>>,
  read: ReadBytes,
): Config {
  const readText = (named: string) => read(named).toString('utf8');
  const text = readConfigFile(path, read);
  return parseConfig(text, { path, dir: dirname(path), cwd, mode, separator, env, home, readText, leaveOut });
}

function getConfigFile({ flag, env, cwd, home = homedir(), trust }: LoadOptions): string {
  const disk = { exists: existsSync, isOurs: toIsOurs({ trust, env }) };
  const { named, places } = planSearch({ flag, env, cwd, home, platform: process.platform, ...disk });
  if (named !== undefined) {
    if (existsSync(named.path)) return named.path;
    throw missing(`the configuration file ${named.path} does not exist (named by ${named.by})`);
  }
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw missing(
    ['no configuration file was found; the Workbench looked for', ...places.map((place) => `  ${place}`)].join('\n'),
  );
}

function missing(message: string): WorkbenchError {
  return new WorkbenchError('WB1407', `${message}\n\nThe smallest file that works:\n${smallestFile}`);
}

function readConfigFile(path: string, read: ReadBytes): string {
  let bytes: Buffer;
  try {
    bytes = read(path);
  } catch (cause) {
    throw cause instanceof WorkbenchError ? cause : unreadable(path, cause);
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
  const code = codeOf(cause);
  if (code === 'EISDIR') {
    const fix = 'Name the file itself, for example <folder>/workbench-config.json.';
    return new WorkbenchError('WB1407', `the configuration ${path} is a folder, not a file`, { fix, cause });
  }
  if (code === 'ENOENT')
    return new WorkbenchError('WB1407', `the configuration file ${path} does not exist`, { cause });
  const why = code === 'EACCES' || code === 'EPERM' ? 'you may not read it' : code;
  const fix = 'Check the permissions of the file.';
  return new WorkbenchError('WB1407', `the configuration file ${path} cannot be read: ${why}`, { fix, cause });
}

function wrongEncoding(path: string, encoding: string): WorkbenchError {
  const fix = 'Save the file as UTF-8. In PowerShell: Set-Content -Encoding utf8.';
  return new WorkbenchError('WB1403', `the configuration file ${path} is in ${encoding}`, { fix });
}
