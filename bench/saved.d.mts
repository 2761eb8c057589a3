import type { Figure } from './figures.mjs';

export interface Saved {
  readonly machine: string;
  readonly day: string;
  readonly rounds: number | string;
  readonly runs: number;
  readonly load: number;
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
  readonly each: readonly Figure[];
}
export function joinSaved(saved: readonly Saved[]): Saved;
