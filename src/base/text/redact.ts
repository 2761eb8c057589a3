/** Keeps secrets out of everything we print: known values are replaced by the name they came from. */
import { spellSecret } from './spell-secret.ts';

export interface Redactor {
  /** From now on `value` is shown as `‹name›`, in every spelling. Values too short to be a secret are left alone. */
  learn(name: string, value: string): void;
  hide(text: string): string;
}

const shortestSecret = 6;
/** The mark at the end of a cut text. */
const cutMark = '…';

export function createRedactor(): Redactor {
  const names = new Map<string, string>();
  /** Built when something has to be hidden: at many starts nothing has. */
  let longestFirst: [spelling: string, name: string][] | undefined;
  return {
    learn(name, value) {
      if (value.length < shortestSecret) return;
      names.set(value, name);
      longestFirst = undefined;
    },
    hide(text) {
      longestFirst ??= spellAll(names);
      let hidden = text;
      for (const [spelling, name] of longestFirst)
        if (spelling.length <= hidden.length && hidden.includes(spelling))
          hidden = hidden.replaceAll(spelling, () => `‹${name}›`);
      return hidden.includes(cutMark) ? hideCut(hidden, longestFirst) : hidden;
    },
  };
}

/** From now on the secrets of a configuration are shown by their names. */
export function learnSecrets(
  { secrets }: { readonly secrets: readonly { readonly name: string; readonly value: string }[] },
  redactor: Redactor,
): void {
  for (const { name, value } of secrets) redactor.learn(name, value);
}

/** Texts are often cut before they are redacted, and the rest of a cut secret does not equal the secret. */
function hideCut(text: string, spellings: readonly [spelling: string, name: string][]): string {
  const pieces = text.split(cutMark);
  const last = pieces.pop() ?? '';
  return [...pieces.map((piece) => hideEnd(piece, spellings)), last].join(cutMark);
}

/** The text without the beginning of a secret at its end. */
function hideEnd(text: string, spellings: readonly [spelling: string, name: string][]): string {
  for (const [spelling, name] of spellings) {
    const beginning = spelling.slice(0, shortestSecret);
    const earliest = Math.max(0, text.length - spelling.length);
    for (let at = text.indexOf(beginning, earliest); at >= 0; at = text.indexOf(beginning, at + 1))
      if (spelling.startsWith(text.slice(at))) return `${text.slice(0, at)}‹${name}›`;
  }
  return text;
}

/** The longer value first: a value that contains another must not be left half visible. */
function spellAll(names: ReadonlyMap<string, string>): [string, string][] {
  const spellings = new Map<string, string>();
  for (const [value, name] of names) for (const spelling of spellSecret(value)) spellings.set(spelling, name);
  return [...spellings].sort(([a], [b]) => b.length - a.length);
}
