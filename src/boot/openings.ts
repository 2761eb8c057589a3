/**
 * How clients began and what they were answered, kept between runs: the same client that asks the same gets the same answers
 * before the program is even loaded. They count only while everything they rest on is as it was. See decision 28.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stampOf } from '../config/stamp.ts';
import { openSecret } from '../daemon/secret.ts';
import { sealVariables } from '../daemon/variables.ts';
import { findOwn } from '../state/open-own.ts';
import { findFolderFault, prepareFolder } from '../state/own-folder.ts';
import type { Owner } from '../state/owner.ts';
import { findStateFault } from '../state/state-folder.ts';
import { replaceOwn } from '../state/write-own.ts';
import { digestFiles } from './content-digest.ts';
import { keepNewest } from './keep-newest.ts';
import { type Answers, type OpeningFile, readOpening, toBytes } from './opening-file.ts';

/** How the program was started: another start may answer the same question otherwise. */
export interface Start {
  /** A hash of the program. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly home: string;
  /** The configuration file that is found. */
  readonly config: string;
}

/** What answers rest on besides. */
export interface Ground {
  /** The stamps of files when they were read; undefined where there was none. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Names of the variables that were read. */
  readonly variables: readonly string[];
  /** Until when it may be believed. */
  readonly until: number;
}

export interface Openings {
  /** Whether there is one for a program that is started like this. */
  any(): boolean;
  /** What to answer a client that asks this first, and what else it will ask. */
  find(first: string, now: number): Answers | undefined;
  /** Whatever goes wrong costs the next start some time, and nothing else. */
  save(answers: Answers, ground: Ground, now: number): void;
}

export interface OpeningsOptions {
  readonly folder: string;
  readonly owner: Owner;
  readonly start: Start;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Raised when what is kept means something else. */
const format = 1;
const ending = '.opening';
const mostBytes = 8 * 1_024 * 1_024;
/** Clients and configurations may be used in turns. */
const mostFiles = 24;

export function createOpenings({ folder, owner, start, env }: OpeningsOptions): Openings {
  const { platform } = owner;
  const isUnsafe = () => findStateFault(dirname(folder), owner) !== undefined;
  const seal = (variables: readonly string[]) => {
    // Without variables there is nothing to hide, and Node's cryptography takes a while to load.
    if (variables.length === 0) return [];
    return sealVariables(variables, {
      secret: openSecret({ secretFile: join(folder, 'secret') }, owner),
      env,
      platform,
    });
  };
  const toBasis = ({ files, variables }: Pick<Ground, 'files' | 'variables'>): string =>
    JSON.stringify([format, folder, start, [...files], seal(variables)]);
  /** Of what was kept, as it is now. */
  const toBasisNow = ({ files, variables }: Pick<OpeningFile, 'files' | 'variables'>): string =>
    toBasis({ files: new Map(files.map((path) => [path, stampOf(path)])), variables });
  const toContentBasis = ({ files, variables }: Pick<OpeningFile, 'files' | 'variables'>): string =>
    JSON.stringify([format, folder, start, digestFiles(files), seal(variables)]);
  const prefix = `${toName(JSON.stringify([start.argv, start.cwd]))}-`;
  const fileOf = (first: string) => join(folder, `${prefix}${toName(first)}${ending}`);

  const read = (first: string, now: number): OpeningFile | undefined => {
    if (isUnsafe() || findFolderFault(folder, owner) !== undefined) return undefined;
    const bytes = findOwn(fileOf(first), { mostBytes, owner });
    const kept = bytes && readOpening(bytes);
    return kept?.answers.has(first) && kept.savedAt <= now && now <= kept.until ? kept : undefined;
  };

  return {
    any() {
      try {
        return readdirSync(folder).some((name) => name.startsWith(prefix));
      } catch {
        return false;
      }
    },
    find(first, now) {
      try {
        const kept = read(first, now);
        // Contents are looked at only where they must be: reading and hashing takes as long as all the rest.
        return kept !== undefined && (kept.basis === toBasisNow(kept) || kept.contentBasis === toContentBasis(kept))
          ? kept.answers
          : undefined;
      } catch {
        return undefined;
      }
    },
    save(answers, { files, variables, until }, now) {
      const [first] = answers.keys();
      // What has changed since it was read is not what the answers rest on.
      if (first === undefined || [...files].some(([path, stamp]) => stampOf(path) !== stamp)) return;
      if (isUnsafe() || prepareFolder(folder, owner) !== undefined) return;
      try {
        const parts = { files: [...files.keys()], variables };
        const basis = toBasis({ files, variables });
        const kept = read(first, now);
        if (kept?.basis === basis && toBasisNow(kept) === basis && holds(kept.answers, answers)) return;
        const contentBasis = toContentBasis(parts);
        const bytes = toBytes({ ...parts, basis, contentBasis, savedAt: now, until, answers });
        if (bytes.length > mostBytes) return;
        replaceOwn(fileOf(first), bytes);
        keepNewest(folder, ending, mostFiles);
      } catch {
        // It is as if this run had not been.
      }
    },
  };
}

/** A client that asked less this time may ask again for what is known. */
function holds(kept: Answers, answers: Answers): boolean {
  return [...answers].every(([question, answer]) => kept.get(question)?.equals(answer) === true);
}

/** Short and nothing more: what it stands for is compared when the file is read. */
function toName(text: string): string {
  return [0x811c9dc5, 0x1000193]
    .map((seed) => {
      let hash = seed;
      for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
      return (hash >>> 0).toString(16).padStart(8, '0');
    })
    .join('');
}
