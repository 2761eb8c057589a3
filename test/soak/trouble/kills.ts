/** Kills a healthy server, one after the other, as hard as it goes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startedBy, toEntries } from '../ledgers.ts';
import { killOurs } from './footprint.ts';
import { killable } from './scenery.ts';

/** So seldom that none is killed twice in a minute: that would be five failures in a row before long, and it would be left alone. */
const killEveryMs = 8_000;
/** A failure later than this after a kill is not excused by it. */
const shadowMs = 10_000;

export interface Kills {
  readonly counts: ReadonlyMap<string, number>;
  wasKilled(server: string, since: number): boolean;
  stop(): void;
}

export function startKills(ledgers: string): Kills {
  const counts = new Map<string, number>();
  const times = new Map<string, number>();
  let turn = 0;
  const timer = setInterval(() => {
    const { name } = killable[turn++ % killable.length] ?? { name: '' };
    const pid = startedBy(toEntries(name, readFileSync(join(ledgers, `${name}.log`), 'utf8'))).at(-1);
    // Not there while it is being started again.
    if (pid === undefined || !killOurs(pid, ledgers)) return;
    times.set(name, Date.now());
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }, killEveryMs);
  return {
    counts,
    wasKilled: (server, since) => (times.get(server) ?? 0) >= since - shadowMs,
    stop: () => clearInterval(timer),
  };
}
