/** The first answers of a run that serves a pipe: given before the program is loaded when they are known, kept for the next run. */
import { existsSync, fstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FirstExchange } from '../base/first-exchange.ts';
import { findConfigHere, findDistrustOf } from '../config/disk.ts';
import { stateDir } from '../config/paths.ts';
import { stampOf } from '../config/stamp.ts';
import { findOwnTrail } from '../config/trail.ts';
import { answerEarly, type Early } from './answer-early.ts';
import { createOpenings, type Ground, type Openings } from './openings.ts';
import { type AnswersOptions, toAnswers } from './to-answers.ts';

export interface EarlyStart extends Early {
  /** Told of each file that answers rest on, before it is read. */
  onRead(path: string): void;
  /** Keeps how the client began, when a run that begins so can answer the same. */
  keep(exchanges: readonly FirstExchange[], ground: OpeningGround): void;
}

export interface OpeningGround extends Ground, AnswersOptions {}

export interface EarlyStartOptions {
  /** A hash of the program. */
  readonly program: string;
  readonly argv: readonly string[];
  /** `--config`. */
  readonly flag: string | undefined;
}

/** Undefined where there is nothing to be known. */
export async function startEarly(options: EarlyStartOptions): Promise<EarlyStart | undefined> {
  const { stdin, stdout } = process;
  const openings = findOpenings(options);
  if (openings === undefined) return undefined;
  // Whoever reads is gone: the program will notice.
  stdout.on('error', () => {});
  const early = openings.any()
    ? await answerEarly({ input: stdin, output: stdout, find: (first) => openings.find(first, Date.now()) })
    : { given: [], input: stdin };
  const read = new Map<string, string | undefined>();
  return {
    ...early,
    onRead: (path) => void read.set(path, stampOf(path)),
    keep(exchanges, { ownTools, whole, files, ...ground }) {
      const answers = toAnswers(exchanges, { ownTools, whole });
      openings.save(answers, { ...ground, files: new Map([...read, ...files]) }, Date.now());
    },
  };
}

/** Undefined without a pipe or a configuration, and where the folder or the home cannot even be named: the program tells that. */
function findOpenings({ program, argv, flag }: EarlyStartOptions): Openings | undefined {
  const { env, platform } = process;
  try {
    const [cwd, home] = [process.cwd(), homedir()];
    const config = findConfigHere({ flag, env, cwd, platform, home, exists: existsSync });
    if (config === undefined || !isPipe(0) || findDistrustOf(config, { env }) !== undefined) return undefined;
    // Behind another Workbench servers may be left out that were not before.
    if (findOwnTrail(env).length > 0) return undefined;
    return createOpenings({
      folder: join(stateDir({ env, platform, home }), 'opening'),
      owner: { platform, uid: process.getuid?.() },
      start: { program, argv, cwd, home, config },
      env,
    });
  } catch {
    return undefined;
  }
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
