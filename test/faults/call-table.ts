/** Runs tables of faults that a server has in single calls. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Era, eras } from '../flows/support.ts';
import { eventually } from '../support/eventually.ts';
import type { Fault } from './fault.ts';
import { startTrial, type Trial } from './trial.ts';

export interface CallTable {
  /** Begins the titles: what the server does. */
  readonly title: string;
  /** How long a call may take. */
  readonly timeoutMs: number;
  faults(era: Era): readonly Fault[];
  /** The entry of the faulty server. */
  server(era: Era): object;
}

/** One program, one faulty server: what it did in one call must not be felt in the next. */
export function runCalls({ title, timeoutMs, faults, server }: CallTable): void {
  describe.each(eras)(`${title} (%s)`, (era) => {
    let trial: Trial;
    beforeAll(async () => {
      trial = await startTrial({ era, mode: 'flat', faulty: { faulty: { ...server(era), timeoutMs } } });
      if (era === 'legacy') await trial.client.ask('logging/setLevel', { level: 'info' });
    });
    afterAll(() => trial.end());

    it.each(faults(era))('$name', async ({ name, outcome, lingers }) => {
      const before = trial.footprint();
      await trial.strike({ server: 'faulty', tool: 'strike', args: { behaviour: name }, outcome });
      const next = () => trial.strike({ server: 'faulty', tool: 'echo', outcome: { kind: 'works' } });
      await (lingers === true ? eventually(next, 10_000) : next());
      await trial.expectBack(before);
    });
  });
}
