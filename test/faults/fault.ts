/** One row of the tables: a fault by its name, and what a call gets of a server that has it. */
import type { JsonObject } from '../../src/base/json/json.ts';

export interface Fault {
  /** As the fixtures name it. */
  readonly name: string;
  readonly outcome: Outcome;
  /** Beside what the table says for all its rows. */
  readonly settings?: JsonObject;
  /** The fault goes on after the answer: the next call may be struck as well, and only a later one must work. */
  readonly lingers?: boolean;
  /** How long a first list and an unknown name wait for servers that are starting. */
  readonly startWaitMs?: number;
}

export type Outcome =
  /** The honest answer, as if there were no fault. */
  | { readonly kind: 'works' }
  /** An answer of the server itself: a result, or an error in its own words. */
  | { readonly kind: 'answers'; readonly words: RegExp }
  /** An error of ours that names the server and says why. */
  | { readonly kind: 'fails'; readonly cause: RegExp };

type More = Omit<Fault, 'name' | 'outcome'>;

export const works = (name: string, more: More = {}): Fault => ({ name, outcome: { kind: 'works' }, ...more });
export const answers = (name: string, words: RegExp, more: More = {}): Fault => ({
  name,
  outcome: { kind: 'answers', words },
  ...more,
});
export const fails = (name: string, cause: RegExp, more: More = {}): Fault => ({
  name,
  outcome: { kind: 'fails', cause },
  ...more,
});

/** Several rows with the same outcome. */
export const allWork = (names: readonly string[], more: More = {}): Fault[] => names.map((name) => works(name, more));
export const allFail = (cause: RegExp, names: readonly string[], more: More = {}): Fault[] =>
  names.map((name) => fails(name, cause, more));
