/**
 * What was learnt of servers the hard way, remembered between runs so that only the first pays for it: who cannot stand the era
 * probe (dies of it or never answers it), of whom each client needs one of its own, and who wants to know the roots of its client.
 * Entries expire, because servers change.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json } from '../base/json.ts';
import type { ServerDefinition } from '../config/config.ts';
import type { Need } from './company.ts';
import type { Era } from './edge.ts';
import { fingerprint } from './fingerprint.ts';
import { replaceFile } from './replace-file.ts';

export interface Verdicts {
  find(definition: ServerDefinition): Era | undefined;
  rememberLegacy(definition: ServerDefinition): void;
  /** What it has shown by what it asked or said: see `Need`. */
  needs(definition: ServerDefinition, need: Need): boolean;
  rememberNeed(definition: ServerDefinition, need: Need): void;
}

const keepMs = 7 * 24 * 60 * 60 * 1_000;

export function createVerdicts(stateDir: string | undefined, now: () => number = Date.now): Verdicts {
  const file = stateDir === undefined ? undefined : join(stateDir, 'eras.json');
  let known: Map<string, number> | undefined;
  const load = () => {
    known ??= file === undefined ? new Map() : readVerdicts(file);
    return known;
  };
  const holds = (key: string): boolean => {
    const since = load().get(key);
    return since !== undefined && now() - since < keepMs;
  };
  const remember = (key: string) => {
    load().set(key, now());
    if (file !== undefined) writeVerdicts(file, load());
  };
  return {
    find: (definition) => (load().size > 0 && holds(fingerprint(definition)) ? 'legacy' : undefined),
    rememberLegacy: (definition) => remember(fingerprint(definition)),
    needs: (definition, need) => load().size > 0 && holds(needKey(definition, need)),
    rememberNeed: (definition, need) => remember(needKey(definition, need)),
  };
}

function needKey(definition: ServerDefinition, need: Need): string {
  return `${need} ${fingerprint(definition)}`;
}

/** A missing or damaged file costs a probe, nothing else. */
function readVerdicts(file: string): Map<string, number> {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Json;
    const entries = isObject(stored) ? Object.entries(stored) : [];
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return new Map();
  }
}

function writeVerdicts(file: string, verdicts: Map<string, number>): void {
  try {
    replaceFile(file, `${file}.${process.pid}.tmp`, JSON.stringify(Object.fromEntries(verdicts)));
  } catch {
    // Without a place to write, the verdict holds for this run.
  }
}
