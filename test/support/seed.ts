/**
 * Chance in tests. Every run has the same seeds, so that a commit which was green stays green; `SEED=new` looks further, and what it
 * finds is printed with the seed that repeats it.
 */
import { randomInt } from 'node:crypto';

/** A seed nobody tried, when one is wanted. */
export function newSeed(): number | undefined {
  return process.env.SEED === 'new' ? randomInt(2 ** 31) : undefined;
}
