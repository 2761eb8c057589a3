/** The token that HTTP clients must send: what the user says, else one that was made once and is kept for the next run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usualHttpPort, WorkbenchError } from '../index.ts';
import type { Args } from './args.ts';
import type { Io } from './io.ts';

export interface Token {
  /** The user has not chosen it, so has to be told. */
  readonly ours: boolean;
  /** One of ours is for one port: whoever listens on the port that clients know gets what they send, and must not get in elsewhere. */
  valueFor(port: number): string;
}

/** undefined: the user wants none. */
export function resolveToken(io: Pick<Io, 'env' | 'cwd' | 'stateDir'>, args: Args, asked?: number): Token | undefined {
  const stated = args.text('token');
  const file = args.text('token-file');
  if (args.has('no-auth')) {
    if (stated === undefined && file === undefined) return undefined;
    throw new WorkbenchError('WB1901', '--no-auth and a token contradict each other.', {
      fix: 'Leave one of them out.',
    });
  }
  if (stated !== undefined) return toGiven(checkToken(stated, '--token'));
  if (file !== undefined) return toGiven(checkToken(readTokenFile(resolve(io.cwd, file)), '--token-file'));
  const variable = io.env.WORKBENCH_TOKEN;
  if (variable !== undefined && variable !== '') return toGiven(checkToken(variable, 'WORKBENCH_TOKEN'));
  const { stateDir } = io;
  const known = new Map<number, string>();
  return {
    ours: true,
    valueFor(port) {
      // A port that the system chooses is another one each time, so no client can have kept a token for it.
      const value =
        known.get(port) ?? (stateDir === undefined || asked === 0 ? makeToken() : keptToken(stateDir, port));
      known.set(port, value);
      return value;
    },
  };
}

function toGiven(value: string): Token {
  return { ours: false, valueFor: () => value };
}

const fewestDifferent = 6;

/** What can stand in a header, and what nobody can try out; the value itself is never repeated. */
function checkToken(text: string, from: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]{16,4096}$/.test(token) && new Set(token).size >= fewestDifferent) return token;
  throw new WorkbenchError('WB1901', `The token from ${from} cannot be used: it could be guessed, or not be sent.`, {
    fix: 'A token has at least 16 visible ASCII characters, no spaces, and is not one character again and again. Make one with: openssl rand -hex 32. Or give none: then one is made and shown.',
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
function keptToken(stateDir: string, port: number): string {
  const path = join(stateDir, port === usualHttpPort ? 'token' : `token-${port}`);
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
