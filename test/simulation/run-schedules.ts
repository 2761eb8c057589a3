/**
 * Runs many schedules. `SEED=… npx vitest run test/simulation` repeats one; `SEED=new` tries others than every run does;
 * `SCHEDULES=…` says how many there are in all.
 */
import { newSeed } from '../support/seed.ts';
import { share } from '../support/selection.ts';
import { createTally, type Tally } from './checks/records.ts';
import { type Profile, profiles } from './profile.ts';
import { runSchedule } from './schedule.ts';

const defaultSchedules = 10_000;

/** The seeds of one profile: of those that follow each other, every fifth, say, belongs to it. */
export function seedsOf(profile: Profile): number[] {
  const given = process.env.SEED;
  const own = profiles.indexOf(profile);
  const start = newSeed();
  if (given !== undefined && start === undefined) return Number(given) % profiles.length === own ? [Number(given)] : [];
  const total = Number(process.env.SCHEDULES ?? share(defaultSchedules));
  // A whole number of rounds, so that the remainder is the profile.
  const first = (start ?? 0) * profiles.length;
  return Array.from(
    { length: Math.ceil(total / profiles.length) },
    (_, index) => first + index * profiles.length + own,
  );
}

/** Runs them until one fails; what happened in all of them together. */
export async function runSchedules(seeds: readonly number[]): Promise<Tally> {
  const total = createTally();
  for (const [index, seed] of seeds.entries()) {
    const { faults, trace, tally } = await runSchedule(seed);
    if (faults.length > 0)
      throw new Error(
        `${faults.join('\n')}\n\nSchedule ${index + 1}. Repeat it with: SEED=${seed} npx vitest run test/simulation\n\n${trace}`,
      );
    for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
  }
  return total;
}
