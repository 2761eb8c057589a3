/** The token that HTTP clients must send: what the user says, else one that was made once and is kept for the next run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WorkbenchError } from '../index.ts';
import type { Args } from './args.ts';
import type { Io } from './io.ts';

export interface Token {
  readonly value: string;
  /** The user has not chosen it, so has to be told. */
  readonly ours: boolean;
}

/** undefined: the user wants none. */
export function resolveToken(io: Pick<Io, 'env' | 'cwd' | 'stateDir'>, args: Args): Token | undefined {
  const stated = args.text('token');
  const file = args.text('token-file');
  if (args.has('no-auth')) {
    if (stated === undefined && file === undefined) return undefined;
    throw new WorkbenchError('WB1901', '--no-auth and a token contradict each other.', {
      fix: 'Leave one of them out.',
    });
  }
  if (stated !== undefined) return { value: checkToken(stated, '--token'), ours: false };
  if (file !== undefined)
    return { value: checkToken(readTokenFile(resolve(io.cwd, file)), '--token-file'), ours: false };
  const variable = io.env.WORKBENCH_TOKEN;
  if (variable !== undefined && variable !== '') return { value: checkToken(variable, 'WORKBENCH_TOKEN'), ours: false };
  return { value: io.stateDir === undefined ? makeToken() : keptToken(io.stateDir), ours: true };
}

/** What can stand in a header; the value itself is never repeated. */
function checkToken(text: string, from: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]{8,4096}$/.test(token)) return token;
  throw new WorkbenchError('WB1901', `The token from ${from} cannot be used.`, {
    fix: 'A token has at least 8 visible ASCII characters and no spaces.',
  });
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new WorkbenchError('WB1901', `The token file ${path} cannot be read (${codeOf(error)}).`, {
      fix: 'Name a file that exists and that you may read.',
    });
  }
}

/** Readable by its owner only. Of two programs that make one at once, the first wins. */
function keptToken(stateDir: string): string {
  const path = join(stateDir, 'token');
  const made = makeToken();
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${made}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    // A state folder that cannot be written to costs only that the next run has another token.
    return codeOf(error) === 'EEXIST' ? checkToken(readTokenFile(path), path) : made;
  }
}

function makeToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
