/** The tests of some profiles. They stand in several files, so that several cores work on them. */
import { describe, expect, it } from 'vitest';
import { profiles } from './profile.ts';
import { runSchedules, seedsOf } from './run-schedules.ts';

const timeoutMs = 10 * 60_000;

export function describeProfiles(names: readonly string[]): void {
  describe('whatever happens in whatever order, nothing is lost, crossed, answered twice or left hanging', () => {
    for (const profile of profiles.filter(({ name }) => names.includes(name))) {
      const seeds = seedsOf(profile);
      it.skipIf(seeds.length === 0)(`with ${profile.name}`, { timeout: timeoutMs }, async () => {
        const { calls, answers, questions, replies, progress, cancels, ...more } = await runSchedules(seeds);
        const { reloads, drains, cutCalls, sleeps, downs, tries } = more;
        // Schedules in which nothing happens would prove nothing.
        if (seeds.length > 100)
          for (const count of [calls, answers, questions, replies, progress, cancels])
            expect(count).toBeGreaterThan(seeds.length / 10);
        if (seeds.length > 100 && profile.reloads > 0)
          for (const count of [reloads, drains, cutCalls, sleeps, downs, tries])
            expect(count).toBeGreaterThan(seeds.length / 50);
      });
    }
  });
}
