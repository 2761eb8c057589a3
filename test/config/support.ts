/** Parses for tests: fixed folder, home, platform and environment, so that results are the same everywhere. */
import type { ErrorCode } from '../../src/base/errors/errors.ts';
import { columnOf, lineOf } from '../../src/config/document/code-frame.ts';
import { ConfigError } from '../../src/config/document/config-error.ts';
import type { Config } from '../../src/config/model/config.ts';
import { type ParseOptions, parseConfig } from '../../src/config/read/parse.ts';

export const options: ParseOptions = {
  path: '/project/workbench.jsonc',
  dir: '/project',
  env: {},
  platform: 'linux',
  home: '/home/ann',
  readText: (path) => {
    throw new Error(`no file ${path}`);
  },
};

/** A text, or a value that is written as JSON first. */
export function parse(file: string | object, more: Partial<ParseOptions> = {}): Config {
  return parseConfig(toText(file), { ...options, ...more });
}

export function failure(file: string | object, more: Partial<ParseOptions> = {}): ConfigError {
  try {
    parse(file, more);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The file was accepted.');
}

/** Code, line and column of each problem. */
export function spots(error: ConfigError, text: string): [ErrorCode, number, number][] {
  return error.problems.map(({ code, offset }) => [code, lineOf(text, offset), columnOf(text, offset)]);
}

/** The only server of a file with this entry. */
export function serverOf(entry: object, more: Partial<ParseOptions> = {}) {
  const config = parse({ mcpServers: { one: entry } }, more);
  const definition = config.servers.get('one')!;
  const placement = config.toolboxes.get('default')!.placements[0]!;
  return { config, definition, placement, notes: config.notes.map(({ code, message }) => `${code} ${message}`) };
}

function toText(file: string | object): string {
  return typeof file === 'string' ? file : JSON.stringify(file, null, 2);
}
