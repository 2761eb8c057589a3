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

/** So many deaths in a row a server may have before it is left alone for a while. */
const faultsPerServer = 3;

/** One program, and a server for a few faults: what it did in one call must not be felt in the next. */
export function runCalls({ title, timeoutMs, faults, server }: CallTable): void {
  describe.each(eras)(`${title} (%s)`, (era) => {
    const rows = faults(era).map((fault, index) => ({ ...fault, of: `faulty-${Math.floor(index / faultsPerServer)}` }));
    let trial: Trial;
    beforeAll(async () => {
      const entry = { ...server(era), timeoutMs, idleMs: 1_000 };
      const faulty = Object.fromEntries(rows.map(({ of }) => [of, entry]));
      trial = await startTrial({ era, mode: 'meta', faulty });
      if (era === 'legacy') await trial.client.ask('logging/setLevel', { level: 'info' });
    });
    afterAll(() => trial.end());

    it.each(rows)('$name', async ({ name, outcome, lingers, of }) => {
      const before = trial.footprint();
      await trial.strike({ server: of, tool: 'strike', args: { behaviour: name }, outcome });
      const next = () => trial.strike({ server: of, tool: 'echo', outcome: { kind: 'works' } });
      await (lingers === true ? eventually(next, 10_000) : next());
      await trial.expectBack(before, 1);
    });
  });
}
