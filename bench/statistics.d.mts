export function quantile(values: readonly number[], part: number): number;
export function median(values: readonly number[]): number;
export function compareRounds(
  own: readonly number[],
  base: readonly number[],
): { own: number; base: number; ratio: number; low: number; high: number };
