/**
 * The stem of an English word, after M. F. Porter, "An algorithm for suffix stripping" (1980): `created`, `creates` and `creating`
 * become one term. Words are compared by their stems only; a stem need not be a word.
 */

const plain = /^[a-z]{3,40}$/;

/** Takes one lower-case word; a word with other characters than a to z is its own stem. */
export function toStem(word: string): string {
  if (!plain.test(word)) return word;
  return withoutEnds(derived(derived(withoutInflection(word), secondSuffixes), thirdSuffixes));
}

function withoutInflection(word: string): string {
  return replaceY(withoutPast(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const end = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const stem = word.slice(0, word.length - end);
  if (end === 0 || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function replaceY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Suffixes = readonly (readonly [string, string])[];

const secondSuffixes: Suffixes = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];

const thirdSuffixes: Suffixes = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

function derived(word: string, suffixes: Suffixes): string {
  const found = suffixes.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const stem = word.slice(0, -found[0].length);
  return measure(stem) > 0 ? stem + found[1] : word;
}

const lastSuffixes = ['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent', 'ion', 'ou']
  .concat(['ism', 'ate', 'iti', 'ous', 'ive', 'ize'])
  .sort((a, b) => b.length - a.length);

function withoutEnds(word: string): string {
  return withoutDouble(withoutE(withoutSuffix(word)));
}

function withoutSuffix(word: string): string {
  const suffix = lastSuffixes.find((end) => word.endsWith(end));
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (measure(stem) <= 1 || (suffix === 'ion' && !/[st]$/.test(stem))) return word;
  return stem;
}

function withoutE(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const count = measure(stem);
  return count > 1 || (count === 1 && !endsShort(stem)) ? stem : word;
}

function withoutDouble(word: string): string {
  return word.endsWith('ll') && measure(word) > 1 ? word.slice(0, -1) : word;
}

function isVowel(word: string, at: number): boolean {
  const letter = word.charAt(at);
  if ('aeiou'.includes(letter)) return true;
  return letter === 'y' && at > 0 && !isVowel(word, at - 1);
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowel(word, at)) return true;
  return false;
}

/** How often vowels are followed by consonants. */
function measure(word: string): number {
  let count = 0;
  let before = false;
  for (let at = 0; at < word.length; at++) {
    const vowel = isVowel(word, at);
    if (before && !vowel) count++;
    before = vowel;
  }
  return count;
}

function endsDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last);
}

/** Consonant, vowel, consonant, where the last is not w, x or y: as in `hop`. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 && !isVowel(word, last) && isVowel(word, last - 1) && !isVowel(word, last - 2) && !/[wxy]$/.test(word)
  );
}
