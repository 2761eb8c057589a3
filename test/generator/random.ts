/** Chance that can be had again: the same seed gives the same run. */
import { newSeed } from '../support/seed.ts';
import { share } from '../support/selection.ts';

export interface Random {
  /** From 0 up to, but not including, `below`. */
  int(below: number): number;
  /** True once in so many times. */
  oneIn(times: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** The seed of this run. */
export const seed = process.env.SEED === undefined ? 1 : (newSeed() ?? Number(process.env.SEED));
/** How many messages each edge gets: GENERATOR_MESSAGES, or what every run has to stand. */
export const messages = Number(process.env.GENERATOR_MESSAGES ?? share(100_000));

/** Mulberry32. */
export function createRandom(from: number): Random {
  let state = from >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const int = (below: number) => next() % below;
  return {
    int,
    oneIn: (times) => int(times) === 0,
    pick: (from) => from[int(from.length)] as (typeof from)[number],
  };
}
