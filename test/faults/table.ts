/** Runs tables of faults. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Era, eras } from '../flows/support.ts';
import type { Fault } from './fault.ts';
import type { Footprint } from './footprint.ts';
import { stdioServer } from './stdio-server.ts';
import { startTrial, type Trial } from './trial.ts';

export interface FaultTable {
  /** Begins the titles: what the server does. */
  readonly title: string;
  readonly eras?: readonly Era[];
  faults(era: Era): readonly Fault[];
  /** The entry of the faulty server. */
  server?(era: Era, fault: Fault): object;
  /** The tool that is called. */
  readonly tool?: string;
}

/** Faults that begin with the program, or show at its end: each row has a program of its own. */
export function runEach({ title, faults, server = ownServer, tool = 'echo', ...table }: FaultTable): void {
  const rows = (table.eras ?? eras).flatMap((era) => faults(era).map((fault) => ({ ...fault, era, fault })));
  let healthy: Footprint | undefined;
  beforeAll(async () => {
    const trial = await startTrial({ era: 'legacy', mode: 'flat', faulty: { faulty: stdioServer('legacy') } });
    await trial.strike({ server: 'faulty', tool: 'echo', outcome: { kind: 'works' } });
    healthy = trial.footprint();
    await trial.end();
  });

  describe(title, () => {
    it.each(rows)('$name ($era)', async ({ era, fault }) => {
      const { outcome, settings, startWaitMs } = fault;
      const faulty = { faulty: { ...server(era, fault), ...settings } };
      const trial = await startTrial({
        ...{ era, mode: 'flat', faulty },
        ...(startWaitMs === undefined ? {} : { startWaitMs }),
      });
      await trial.strike({ server: 'faulty', tool, outcome });
      await trial.expectBack(healthy);
      await trial.end();
    });
  });
}

/** Faults that begin with the first call: one program has the servers of all rows and starts each when its turn comes. */
export function runTogether({ title, faults, server = ownServer, tool = 'echo', ...table }: FaultTable): void {
  describe.each(table.eras ?? eras)(`${title} (%s)`, (era) => {
    const rows = faults(era).map((fault, index) => ({ ...fault, server: `faulty-${index}`, fault }));
    let trial: Trial;
    beforeAll(async () => {
      const entries = rows.map((row) => [row.server, { ...server(era, row.fault), ...row.fault.settings }]);
      trial = await startTrial({ era, mode: 'meta', faulty: Object.fromEntries(entries) });
    });
    afterAll(() => trial.end());

    it.each(rows)('$name', async ({ server: name, outcome }) => {
      const before = trial.footprint();
      await trial.strike({ server: name, tool, outcome });
      await trial.expectBack(before, 1);
    });
  });
}

function ownServer(era: Era, { name }: Fault): object {
  return stdioServer(era, name);
}
