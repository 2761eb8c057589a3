/** The simulation itself: a seed repeats everything, and every profile is run by one of the files. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { profiles } from './profile.ts';
import { runSchedule } from './schedule.ts';

describe('a schedule', () => {
  it.each(profiles.map((profile, seed) => ({ seed, name: profile.name })))(
    'is repeated by its seed, with $name',
    async ({ seed }) => {
      const [first, again] = [await runSchedule(seed + 1_000), await runSchedule(seed + 1_000)];
      expect(again.tally).toEqual(first.tally);
      expect(withoutChance(again.trace)).toEqual(withoutChance(first.trace));
    },
  );

  it('of every profile is tried by one of the test files', async () => {
    const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.test.ts'));
    const texts = await Promise.all(files.map((file) => readFile(`${import.meta.dirname}/${file}`, 'utf8')));
    for (const { name } of profiles) expect(texts.filter((text) => text.includes(`'${name}'`))).toHaveLength(1);
  });
});

/** Ids and seals that the Workbench draws itself, from a better source. */
function withoutChance(trace: string): string {
  return trace.replaceAll(/wb1\.[\w.-]*|q[0-9a-f]{12}-/g, '…');
}
