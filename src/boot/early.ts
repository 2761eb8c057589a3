/** The first answers of a run that serves a pipe: given before the program is loaded when they are known, kept for the next run. */
import { existsSync, fstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findConfigFile, stateDir } from '../config/paths.ts';
import { stampOf } from '../config/stamp.ts';
import { answerEarly, type Early, type Exchange } from './answer-early.ts';
import { createOpenings, type Ground } from './openings.ts';
import { toAnswers } from './to-answers.ts';

export interface EarlyStart extends Early {
  /** Told of each file that answers rest on, before it is read. */
  onRead(path: string): void;
  /** Keeps how the client began, when a run that begins so can answer the same. */
  keep(exchanges: readonly Exchange[], ground: OpeningGround): void;
}

export interface OpeningGround extends Ground {
  /** The list of tools is of the Workbench itself. */
  readonly ownTools: boolean;
}

export interface EarlyStartOptions {
  /** A hash of the program. */
  readonly program: string;
  readonly argv: readonly string[];
  /** `--config`. */
  readonly flag: string | undefined;
}

/** Undefined where there is nothing to be known: no pipe, or no configuration. */
export async function startEarly({ program, argv, flag }: EarlyStartOptions): Promise<EarlyStart | undefined> {
  const { env, platform, stdin, stdout } = process;
  const [cwd, home] = [process.cwd(), homedir()];
  const config = findConfigFile({ flag, env, cwd, platform, home, exists: existsSync });
  if (config === undefined || !isPipe(0)) return undefined;
  const openings = createOpenings({
    folder: join(stateDir({ env, platform, home }), 'opening'),
    owner: { platform, uid: process.getuid?.() },
    start: { program, argv, cwd, home, config },
    env,
  });
  // Whoever reads is gone: the program will notice.
  stdout.on('error', () => {});
  const early = openings.any()
    ? await answerEarly({ input: stdin, output: stdout, find: (first) => openings.find(first, Date.now()) })
    : { given: [], input: stdin };
  const read = new Map<string, string | undefined>();
  return {
    ...early,
    onRead: (path) => void read.set(path, stampOf(path)),
    keep(exchanges, { ownTools, files, ...ground }) {
      const answers = toAnswers(exchanges, { ownTools });
      openings.save(answers, { ...ground, files: new Map([...read, ...files]) }, Date.now());
    },
  };
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
