/**
 * A fixed amount that owners share. An owner that has seven times as much as is left gets no more: a single owner can have nearly
 * everything, but never the last of it, and gets less the more others have.
 */
import type { BudgetOwner } from '../rpc/byte-budget.ts';

export interface FairShare {
  /** Takes an amount for an owner; false when not enough is left for it. */
  take(owner: BudgetOwner, amount?: number): boolean;
  /** Returns what was taken. */
  give(owner: BudgetOwner, amount?: number): void;
  /** Raises the total to at least this much. */
  makeRoom(least: number): void;
}

const part = 7;

export function createFairShare(amountForAll: number): FairShare {
  let most = amountForAll;
  const held = new Map<BudgetOwner, number>();
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
      // An owner without anything is forgotten.
      if (left > 0) held.set(owner, left);
      else held.delete(owner);
    },
    makeRoom(least) {
      most = Math.max(most, least);
    },
  };
}
