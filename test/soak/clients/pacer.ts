/** Begins calls at a rate, and fewer when those to healthy servers do not come back fast enough: what waits must not pile up. */
import type { Plan } from '../plan.ts';

export interface PacerOptions {
  readonly perSecond: number;
  next(): Plan;
  run(plan: Plan): Promise<void>;
}

export interface Pacer {
  /** Begins no more; settles when all are over. */
  stop(): Promise<void>;
}

const tickMs = 20;
/** Calls to healthy servers under way at once. */
const mostOpen = 48;

export function startPacer({ perSecond, next, run }: PacerOptions): Pacer {
  const open = new Set<Promise<void>>();
  let healthy = 0;
  let credit = 0;
  let before = Date.now();
  const begin = (plan: Plan) => {
    const counts = plan.kind === 'list' || !plan.server.bad;
    if (counts) healthy++;
    const done = run(plan).finally(() => {
      if (counts) healthy--;
      open.delete(done);
    });
    open.add(done);
  };
  const timer = setInterval(() => {
    const now = Date.now();
    // What could not be begun in time is not made up for.
    credit = Math.min(credit + ((now - before) * perSecond) / 1_000, perSecond / 4);
    before = now;
    while (credit >= 1 && healthy < mostOpen) {
      credit--;
      begin(next());
    }
  }, tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.allSettled(open);
    },
  };
}
