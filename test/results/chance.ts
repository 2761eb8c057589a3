/** Random texts and results for the tests of held results. */
import { createRandom, seed as firstSeed, type Random } from '../generator/random.ts';
import { share } from '../support/selection.ts';

export type { Random };

/** Runs a test with many seeds and names the one that fails. */
export async function withSeeds(times: number, run: (random: Random) => unknown): Promise<void> {
  for (let seed = firstSeed; seed < firstSeed + share(times); seed++) {
    try {
      await run(createRandom(seed));
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}

const pieces = [
  'a',
  'B',
  '7',
  ' ',
  '.',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '"',
  '\\',
  '{',
  '🚀',
  '👩‍💻',
  '漢字',
  'é',
  '\ud83d',
  '\ude80',
  '\u2028',
  '\0',
  'word',
  'error',
  'x'.repeat(300),
];

export function randomText(random: Random, most = 400): string {
  const length = random.int(most);
  return Array.from({ length }, () => random.pick(pieces)).join('');
}
