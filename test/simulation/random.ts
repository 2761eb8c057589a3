/** Chance that can be repeated: the same seed makes the same choices. */

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One of the values, each as often as its weight says. */
  weigh<T>(weights: readonly (readonly [weight: number, value: T])[]): T;
}

export function createRandom(seed: number): Random {
  // Neighbouring seeds must not begin alike.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)]!,
    weigh(weights) {
      let at = next() * weights.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of weights) {
        at -= weight;
        if (at < 0) return value;
      }
      return weights.at(-1)![1];
    },
  };
}
