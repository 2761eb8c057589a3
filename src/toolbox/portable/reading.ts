/** One pass over a schema: its bounds, where it is, and what it has changed so far. */
import type { JsonObject } from '../../base/json/json.ts';
import type { Meter } from './meter.ts';
import { type Path, toPath, toPointer } from './path.ts';
import type { SchemaDocument } from './references.ts';
import { explainReason, type Reason } from './refused.ts';

export interface SchemaChange {
  /** JSON pointer into the original schema. */
  readonly at: string;
  readonly keyword: string;
  readonly reason: Reason;
  /** The same as a sentence. */
  readonly why: string;
}

/** More changes are not listed; they are made. */
const maxChanges = 1_000;

export interface ReadingDepth {
  /** How deep objects and lists may be nested. */
  readonly maxLevel: number;
  /** How often a reference is followed inside itself. */
  readonly maxRecursion: number;
}

export class SchemaReading implements ReadingDepth {
  readonly meter: Meter;
  readonly maxLevel: number;
  readonly maxRecursion: number;
  /** In older drafts a reference stands alone: what is beside it does not count. */
  readonly referencesStandAlone: boolean;
  /** Older drafts do not know `prefixItems`. */
  readonly knowsPrefixItems: boolean;
  readonly #changes: SchemaChange[] = [];
  readonly #noted = new Map<object, Set<string>>();

  constructor({ meter, maxLevel, maxRecursion, draft }: ReadingDepth & { meter: Meter; draft: string }) {
    this.meter = meter;
    this.maxLevel = maxLevel;
    this.maxRecursion = maxRecursion;
    this.referencesStandAlone = /draft-0[0-7]/.test(draft);
    this.knowsPrefixItems = !/draft-0[0-7]|2019-09/.test(draft);
  }

  /** The owner is the schema that has the keyword: references lead to it again and again. */
  note(owner: object, path: Path, keyword: string, reason: Reason): void {
    const noted = this.#noted.get(owner);
    if (noted?.has(keyword) || this.#changes.length >= maxChanges) return;
    if (noted === undefined) this.#noted.set(owner, new Set([keyword]));
    else noted.add(keyword);
    this.#changes.push({ at: toPointer(path), keyword, reason, why: explainReason(reason) });
  }

  get changes(): readonly SchemaChange[] {
    return this.#changes;
  }
}

/** Where a subschema is read. */
export interface SchemaSpot {
  readonly path: Path;
  readonly document: SchemaDocument;
  /** Objects and lists around it in what is written. */
  readonly level: number;
  /** Schemas around it, combinators and references counted. */
  readonly depth: number;
  /** Targets of the references that led here. */
  readonly followed: readonly JsonObject[];
}

/** The spot of a subschema that says more about the same value. */
export function besideSpot(spot: SchemaSpot, ...steps: readonly (string | number)[]): SchemaSpot {
  return { ...spot, path: toPath(spot.path, ...steps), depth: spot.depth + 1 };
}

/** The spot of a subschema for a value inside this one. */
export function insideSpot(spot: SchemaSpot, ...steps: readonly (string | number)[]): SchemaSpot {
  return { ...besideSpot(spot, ...steps), level: spot.level + 1 };
}
