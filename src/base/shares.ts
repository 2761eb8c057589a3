/**
 * Something of which there is so much for all. Whoever has seven times as much as is left gets no more: one owner alone can have
 * nearly everything, but never the last of it, and the more others have, the less.
 */
import type { Owner } from './byte-budget.ts';

export interface Shares {
  /** Takes so much for an owner; false when there is not enough left for it. */
  take(owner: Owner, amount?: number): boolean;
  /** Gives back what was taken. */
  give(owner: Owner, amount?: number): void;
  /** There is at least so much for all from now on. */
  makeRoom(least: number): void;
}

const part = 7;

export function createShares(amountForAll: number): Shares {
  let most = amountForAll;
  const held = new Map<Owner, number>();
  let sum = 0;
  return {
    take(owner, amount = 1) {
      const own = held.get(owner) ?? 0;
      if (sum + amount > most || own >= part * (most - sum)) return false;
      held.set(owner, own + amount);
      sum += amount;
      return true;
    },
    give(owner, amount = 1) {
      const left = (held.get(owner) ?? 0) - amount;
      sum -= amount;
      // Whoever has nothing is forgotten.
      if (left > 0) held.set(owner, left);
      else held.delete(owner);
    },
    makeRoom(least) {
      most = Math.max(most, least);
    },
  };
}
