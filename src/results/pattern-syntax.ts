/**
 * The patterns of `grep`: the usual part of regular expressions without back references and look-around, read into a list of
 * steps. A pattern comes from a model, so its size is bounded.
 */

/** Whether a step takes a character (a UTF-16 code unit). */
export type CharTest = (code: number) => boolean;

export type PatternStep =
  | { readonly kind: 'char'; readonly test: CharTest; readonly next: number }
  | { readonly kind: 'fork'; readonly next: readonly number[] }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'boundary' | 'inside'; readonly next: number }
  | { readonly kind: 'found' };

export interface Pattern {
  readonly steps: readonly PatternStep[];
  readonly start: number;
}

const maxSteps = 2_000;
const maxDepth = 50;
const maxRepeat = 100;

/** A part of a pattern; `build` adds its steps in front of the step `next` and returns the first of them. */
type Part = (add: (step: PatternStep) => number, next: number) => number;

/** Undefined for a text that is not a pattern of this kind, or too large a one. */
export function parsePattern(source: string, ignoreCase: boolean): Pattern | undefined {
  try {
    const part = new Parser(source, ignoreCase).parse();
    const steps: PatternStep[] = [{ kind: 'found' }];
    const add = (step: PatternStep) => {
      if (steps.length >= maxSteps) throw new NotAPattern();
      return steps.push(step) - 1;
    };
    return { start: part(add, 0), steps };
  } catch (error) {
    if (error instanceof NotAPattern) return undefined;
    throw error;
  }
}

class NotAPattern extends Error {}

const isDigit: CharTest = (code) => code >= 48 && code <= 57;
export const isWord: CharTest = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace: CharTest = (code) => /\s/.test(String.fromCharCode(code));
const not =
  (test: CharTest): CharTest =>
  (code) =>
    !test(code);
const classes: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' };
const isAny: CharTest = (code) => code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029;

class Parser {
  readonly #source: string;
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.#source = source;
    this.#ignoreCase = ignoreCase;
  }

  parse(): Part {
    const part = this.#choice();
    if (this.#at < this.#source.length) throw new NotAPattern();
    return part;
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): Part {
    if (++this.#depth > maxDepth) throw new NotAPattern();
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth--;
    const [only] = options;
    if (only !== undefined && options.length === 1) return only;
    return (add, next) => add({ kind: 'fork', next: options.map((option) => option(add, next)) });
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')') parts.push(this.#repeated());
    return (add, next) => parts.reduceRight((after, part) => part(add, after), next);
  }

  #repeated(): Part {
    const part = this.#atom();
    const count = this.#count();
    if (count === undefined) return part;
    // Whether the shortest or the longest match is wanted does not matter: a line matches or not.
    this.#take('?');
    if (this.#count() !== undefined) throw new NotAPattern();
    return repeat(part, count);
  }

  #count(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    const [all, min, comma, max] = /^\{(\d{1,3})(,?)(\d{0,3})\}/.exec(this.#source.slice(this.#at, this.#at + 9)) ?? [];
    if (all === undefined || (comma === '' && max !== '')) return undefined;
    this.#at += all.length;
    const least = Number(min);
    const most = comma === '' ? least : max === '' ? Number.POSITIVE_INFINITY : Number(max);
    if (least > maxRepeat || (Number.isFinite(most) && most > maxRepeat) || most < least) throw new NotAPattern();
    return { min: least, max: most };
  }

  #atom(): Part {
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return this.#single(this.#set());
    if (this.#take('.')) return this.#single(isAny);
    if (this.#take('^')) return assertion('start');
    if (this.#take('$')) return assertion('end');
    if (this.#take('\\b')) return assertion('boundary');
    if (this.#take('\\B')) return assertion('inside');
    if (/[*+?]/.test(this.#peek())) throw new NotAPattern();
    const taken = this.#character();
    return this.#single(typeof taken === 'string' ? this.#among([[taken, taken]]) : taken);
  }

  #group(): Part {
    if (!this.#take('?:') && this.#peek() === '?') throw new NotAPattern();
    const inner = this.#choice();
    if (!this.#take(')')) throw new NotAPattern();
    return inner;
  }

  /** One character, or a class such as `\d`. */
  #character(): string | CharTest {
    const character = this.#peek();
    if (character === '') throw new NotAPattern();
    this.#at++;
    if (character !== '\\') return character;
    const escaped = this.#peek();
    this.#at++;
    if (Object.hasOwn(classes, escaped)) return classes[escaped] as CharTest;
    if (Object.hasOwn(controls, escaped)) return controls[escaped] as string;
    if (escaped === 'x' || escaped === 'u') return this.#code(escaped === 'x' ? 2 : 4);
    // Other letters and digits would be back references and classes of other engines.
    if (escaped === '' || isWord(escaped.charCodeAt(0))) throw new NotAPattern();
    return escaped;
  }

  #code(digits: number): string {
    const text = this.#source.slice(this.#at, this.#at + digits);
    if (text.length < digits || !/^[0-9a-f]+$/i.test(text)) throw new NotAPattern();
    this.#at += digits;
    return String.fromCharCode(Number.parseInt(text, 16));
  }

  /** The rest of `[…]`. */
  #set(): CharTest {
    const negated = this.#take('^');
    const ranges: [string, string][] = [];
    const tests: CharTest[] = [];
    while (!this.#take(']')) {
      const first = this.#inSet();
      if (typeof first !== 'string') tests.push(first);
      else if (this.#peek() === '-' && !['', ']'].includes(this.#source.charAt(this.#at + 1))) {
        this.#at++;
        const last = this.#inSet();
        if (typeof last !== 'string' || last < first) throw new NotAPattern();
        ranges.push([first, last]);
      } else ranges.push([first, first]);
    }
    const among = this.#among(ranges);
    const test: CharTest = (code) => among(code) || tests.some((each) => each(code));
    return negated ? not(test) : test;
  }

  #inSet(): string | CharTest {
    return this.#take('\\b') ? '\b' : this.#character();
  }

  #among(ranges: readonly (readonly [string, string])[]): CharTest {
    const codes = ranges.map(([first, last]) => [first.charCodeAt(0), last.charCodeAt(0)] as const);
    const test: CharTest = (code) => codes.some(([first, last]) => code >= first && code <= last);
    return this.#ignoreCase ? (code) => casesOf(code).some(test) : test;
  }

  #single(test: CharTest): Part {
    return (add, next) => add({ kind: 'char', test, next });
  }
}

function assertion(what: 'start' | 'end' | 'boundary' | 'inside'): Part {
  return (add, next) => add({ kind: 'assert', what, next });
}

function repeat(part: Part, { min, max }: { readonly min: number; readonly max: number }): Part {
  return (add, next) => {
    let after = next;
    if (max === Number.POSITIVE_INFINITY) {
      // The loop is there before what it repeats, which leads back to it.
      const ways: number[] = [];
      const loop = add({ kind: 'fork', next: ways });
      ways.push(part(add, loop), next);
      after = loop;
    } else
      for (let extra = max - min; extra > 0; extra--) after = add({ kind: 'fork', next: [part(add, after), next] });
    for (let count = min; count > 0; count--) after = part(add, after);
    return after;
  };
}

/** The character in both cases, where they are single code units; a letter beyond ASCII is never equal to one of ASCII. */
function casesOf(code: number): number[] {
  const character = String.fromCharCode(code);
  const others = [character.toLowerCase(), character.toUpperCase()];
  const cases = others.filter((other) => other.length === 1).map((other) => other.charCodeAt(0));
  return [code, ...cases.filter((other) => other < 128 === code < 128)];
}
