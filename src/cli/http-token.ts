/** The token that HTTP clients must send: what the user says, else one that was made once and is kept for the next run. */
import { join, resolve } from 'node:path';
import { WorkbenchError } from '../index.ts';
import { FileFault } from '../state/file-fault.ts';
import { readNamed } from '../state/named-file.ts';
import { readOwn } from '../state/open-own.ts';
import { makeFolder } from '../state/own-folder.ts';
import { currentOwner } from '../state/owner.ts';
import { findStranger } from '../state/strangers.ts';
import { createOwn } from '../state/write-own.ts';
import type { Args } from './args.ts';
import type { Io } from './io.ts';

export interface Token {
  readonly value: string;
  /** The user has not chosen it, so has to be told. */
  readonly ours: boolean;
  /** What the user should know of where it comes from. */
  readonly warning?: string;
}

const mostBytes = 64 * 1_024;

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
  if (file !== undefined) {
    const { text, ...warning } = readTokenFile(resolve(io.cwd, file));
    return { value: checkToken(text, '--token-file'), ours: false, ...warning };
  }
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

/** Whoever can write it lets in whom he likes; whoever can read it comes in himself, which containers do not mind. */
function readTokenFile(path: string): { text: string; warning?: string } {
  try {
    const { bytes, facts } = readNamed(path, mostBytes);
    const stranger = findStranger(facts, currentOwner());
    if (stranger !== undefined)
      throw new WorkbenchError('WB1921', `The token file ${path} ${stranger}.`, {
        fix: 'Make a new token in a file of your own that is closed to others (chmod 600).',
      });
    const isRead = process.platform !== 'win32' && facts.uid === process.getuid?.() && (facts.mode & 0o044) !== 0;
    const warning = isRead
      ? { warning: `warning others on this machine can read the token file ${path}: chmod 600` }
      : {};
    return { text: bytes.toString('utf8'), ...warning };
  } catch (error) {
    if (error instanceof WorkbenchError) throw error;
    if (error instanceof FileFault)
      throw new WorkbenchError('WB1414', `The token file ${error.message}.`, {
        fix: 'Name a file, or give the token in the variable WORKBENCH_TOKEN.',
      });
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
    makeFolder(stateDir);
    return createOwn(path, `${made}\n`) ? made : checkToken(readOwn(path, { mostBytes }).toString('utf8'), path);
  } catch (error) {
    if (error instanceof FileFault)
      throw new WorkbenchError('WB1921', `The kept token ${error.message}.`, {
        fix: 'Remove the file: a new token is made.',
      });
    if (error instanceof WorkbenchError) throw error;
    // A state folder that cannot be written to costs only that the next run has another token.
    return made;
  }
}

function makeToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
