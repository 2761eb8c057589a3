/**
 * Finds a pattern in lines, in time that grows with the length of the line only: all ways to match are followed at once. Sets of
 * ways that were met are remembered, so that most characters cost one lookup; when there are too many they are forgotten.
 */
import { isWord, type Pattern, type PatternStep } from './pattern-syntax.ts';

/** The surroundings of a place between two characters: the edge of the line, a letter or digit, anything else. */
const edge = 0;
const word = 1;
const other = 2;

interface Moment {
  /** Steps that have been reached, before those that take no character are followed. */
  readonly steps: readonly number[];
  readonly before: number;
  readonly ascii: (Moment | undefined)[];
  readonly wide: Map<number, Moment>;
  atEnd: Moment | undefined;
  /** Set in the one moment that means that the pattern was found. */
  readonly found: boolean;
}

const maxMoments = 2_000;
const maxWide = 20_000;

export class Matcher {
  readonly #pattern: Pattern;
  readonly #found: Moment = toMoment([], other, true);
  #moments = new Map<string, Moment>();
  #wide = 0;
  #first: Moment;

  constructor(pattern: Pattern) {
    this.#pattern = pattern;
    this.#first = this.#meet([pattern.start], edge);
  }

  /**
   * The place behind the first match that ends first within `text[from, to)`, which is one line or the rest of it; -1 when there is
   * none.
   */
  findEnd(text: string, from: number, to: number, lineStart: number): number {
    let moment =
      from === lineStart ? this.#first : this.#meet([this.#pattern.start], kindOf(text.charCodeAt(from - 1)));
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      const known = code < 128 ? moment.ascii[code] : moment.wide.get(code);
      const next: Moment = known ?? this.#learn(moment, code);
      if (next.found) return at;
      moment = next;
    }
    moment.atEnd ??= this.#move(moment, undefined);
    return moment.atEnd.found ? to : -1;
  }

  #learn(moment: Moment, code: number): Moment {
    const next = this.#move(moment, code);
    if (code < 128) moment.ascii[code] = next;
    else if (++this.#wide > maxWide) this.#forget();
    else moment.wide.set(code, next);
    return next;
  }

  /** Follows every step that takes no character, then those that take this one. `code` is undefined at the end of the line. */
  #move({ steps, before }: Moment, code: number | undefined): Moment {
    const after = code === undefined ? edge : kindOf(code);
    const { steps: all, start } = this.#pattern;
    const seen = new Set<number>();
    const reached = new Set<number>();
    const open = [...steps];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const step = all[id] as PatternStep;
      if (step.kind === 'found') return this.#found;
      if (step.kind === 'fork') open.push(...step.next);
      else if (step.kind === 'assert') {
        if (holds(step.what, before, after)) open.push(step.next);
      } else if (code !== undefined && step.test(code)) reached.add(step.next);
    }
    // A match may begin at any character.
    if (code !== undefined) reached.add(start);
    return this.#meet(
      [...reached].sort((a, b) => a - b),
      after,
    );
  }

  #meet(steps: readonly number[], before: number): Moment {
    const key = `${before}:${steps.join()}`;
    let moment = this.#moments.get(key);
    if (moment !== undefined) return moment;
    if (this.#moments.size >= maxMoments) this.#forget();
    moment = toMoment(steps, before, false);
    this.#moments.set(key, moment);
    return moment;
  }

  #forget(): void {
    this.#moments = new Map();
    this.#wide = 0;
    this.#first = toMoment([this.#pattern.start], edge, false);
  }
}

function toMoment(steps: readonly number[], before: number, found: boolean): Moment {
  return { steps, before, ascii: [], wide: new Map(), atEnd: undefined, found };
}

function kindOf(code: number): number {
  return isWord(code) ? word : other;
}

function holds(what: 'start' | 'end' | 'boundary' | 'inside', before: number, after: number): boolean {
  if (what === 'start') return before === edge;
  if (what === 'end') return after === edge;
  const isBoundary = (before === word) !== (after === word);
  return isBoundary === (what === 'boundary');
}
