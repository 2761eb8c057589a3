/**
 * Remembers the quirks of servers between runs, so that only the first run pays for them: which servers die of the era probe or
 * never answer it, which need a copy for each client, and which want to know the roots of their client.
 * Entries expire, because servers change.
 */
import { dirname, join } from 'node:path';
import { isObject, type Json } from '../../base/json/json.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { readOwn } from '../../state/open-own.ts';
import { makeFolder } from '../../state/own-folder.ts';
import { replaceOwn } from '../../state/write-own.ts';
import type { Era } from '../era/edge.ts';
import { fingerprint } from '../listing/fingerprint.ts';
import type { Need } from '../questions/company.ts';

export interface ServerQuirks {
  find(definition: ServerDefinition): Era | undefined;
  rememberLegacy(definition: ServerDefinition): void;
  forgetLegacy(definition: ServerDefinition): void;
  /** Whether the server has shown this need by what it asked or said. */
  needs(definition: ServerDefinition, need: Need): boolean;
  rememberNeed(definition: ServerDefinition, need: Need): void;
}

const maxBytes = 4 * 1_024 * 1_024;
const keepMs = 7 * 24 * 60 * 60 * 1_000;

export function createServerQuirks(stateDir: string | undefined, now: () => number = Date.now): ServerQuirks {
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
  const forget = (key: string) => {
    if (load().delete(key) && file !== undefined) writeVerdicts(file, load());
  };
  return {
    find: (definition) => (load().size > 0 && holds(fingerprint(definition)) ? 'legacy' : undefined),
    rememberLegacy: (definition) => remember(fingerprint(definition)),
    forgetLegacy: (definition) => forget(fingerprint(definition)),
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
    const stored = JSON.parse(readOwn(file, { maxBytes }).toString('utf8')) as Json;
    const entries = isObject(stored) ? Object.entries(stored) : [];
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return new Map();
  }
}

function writeVerdicts(file: string, verdicts: Map<string, number>): void {
  try {
    makeFolder(dirname(file));
    replaceOwn(file, JSON.stringify(Object.fromEntries(verdicts)), { durable: false });
  } catch {
    // Without a place to write, what was learnt holds for this run.
  }
}
