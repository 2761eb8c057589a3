/** States that were never given, made of one that was. */
import type { Random } from '../random.ts';

export function drawTampered(random: Random, state: string, others: readonly string[]): string {
  const at = random.int(state.length + 1);
  const other = random.pick(others);
  const tampered = random.pick([
    () => `${state.slice(0, at)}A${state.slice(at + 1)}`,
    () => state.slice(0, at),
    () => `${state}x`,
    () => `x${state}`,
    () => '',
    // The ticket of one, the seal of another.
    () => [...state.split('.').slice(0, 2), other.split('.')[2] ?? 'x'].join('.'),
    () => state.toUpperCase(),
  ])();
  return others.includes(tampered) ? `${state}~` : tampered;
}
