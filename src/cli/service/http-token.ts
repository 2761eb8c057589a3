/**
 * The token that HTTP clients must send: the one that the user sets, otherwise one that was made once and is kept for the next
 * run.
 */

import { join, resolve } from 'node:path';
import { codeOf } from '../../base/errors/code-of.ts';
import { usualHttpPort, WorkbenchError } from '../../index.ts';
import { FileFault } from '../../state/file-fault.ts';
import { readNamed } from '../../state/named-file.ts';
import { readOwn } from '../../state/open-own.ts';
import { makeFolder } from '../../state/own-folder.ts';
import { currentOwner } from '../../state/owner.ts';
import { findStranger } from '../../state/strangers.ts';
import { createOwn } from '../../state/write-own.ts';
import type { Args } from '../args/args.ts';
import type { Io } from '../run/io.ts';

export interface Token {
  /** The user did not choose it, so it must be shown. */
  readonly ours: boolean;
  /** A warning about the source of the token. */
  readonly warning?: string;
  /**
   * A token of ours is for one port: another program that listens on the port that clients know receives what they send, and must
   * not be able to use it elsewhere.
   */
  valueFor(port: number): string;
}

const maxBytes = 64 * 1_024;

/** Undefined when the user wants no token. */
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
  if (file !== undefined) {
    const { text, ...warning } = readTokenFile(resolve(io.cwd, file));
    return { ...toGiven(checkToken(text, '--token-file')), ...warning };
  }
  const variable = io.env.WORKBENCH_TOKEN;
  if (variable !== undefined && variable !== '') return toGiven(checkToken(variable, 'WORKBENCH_TOKEN'));
  const { stateDir } = io;
  const known = new Map<number, string>();
  return {
    ours: true,
    valueFor(port) {
      // A port that the system chooses differs each time, so no client can have kept a token for it.
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

/** It must fit into a header and be hard to guess; the value itself is never repeated. */
function checkToken(text: string, from: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]{16,4096}$/.test(token) && new Set(token).size >= fewestDifferent) return token;
  throw new WorkbenchError(
    'WB1901',
    `The token from ${from} cannot be used: it is easy to guess, or cannot be sent in a header.`,
    {
      fix: 'A token has at least 16 visible ASCII characters, no spaces, and more than one different character. Make one with: openssl rand -hex 32. Or leave it out: then the Workbench makes one and shows it.',
    },
  );
}

/**
 * A user who can write the file decides which token is accepted; a user who can read it can get in, which is common in
 * containers.
 */
function readTokenFile(path: string): { text: string; warning?: string } {
  try {
    const { bytes, facts } = readNamed(path, maxBytes);
    const stranger = findStranger(facts, currentOwner());
    if (stranger !== undefined)
      throw new WorkbenchError('WB1921', `The token file ${path} ${stranger}.`, {
        fix: 'Put a new token into a file of your own that is closed to others (chmod 600).',
      });
    const isRead = process.platform !== 'win32' && facts.uid === process.getuid?.() && (facts.mode & 0o044) !== 0;
    const warning = isRead
      ? { warning: `warning other users of this machine can read the token file ${path}; run chmod 600 on it` }
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

/** Readable by its owner only. When two programs make one at once, the first wins. */
function keptToken(stateDir: string, port: number): string {
  const path = join(stateDir, port === usualHttpPort ? 'token' : `token-${port}`);
  const made = makeToken();
  try {
    makeFolder(stateDir);
    return createOwn(path, `${made}\n`) ? made : checkToken(readOwn(path, { maxBytes }).toString('utf8'), path);
  } catch (error) {
    if (error instanceof FileFault)
      throw new WorkbenchError('WB1921', `The stored token ${error.message}.`, {
        fix: 'Remove the file; the next start makes a new token.',
      });
    if (error instanceof WorkbenchError) throw error;
    // When the state folder cannot be written, the only loss is that the next run has another token.
    return made;
  }
}

function makeToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
