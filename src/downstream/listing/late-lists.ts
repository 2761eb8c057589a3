/**
 * Asks again for lists that did not come in time and for tools that did not come at all, with growing pauses, while the server is
 * connected: otherwise it would be without tools until it announces a change, which it may never do.
 */
import type { Clock } from '../../base/async/clock.ts';
import type { ListProblem } from '../../catalog/item.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Heard } from '../../catalog/listing.ts';
import type { ListSource } from './read-listing.ts';

export interface LateListsOptions {
  readonly clock: Clock;
  /** Reads these lists again, if the connection is still the one in use. */
  readAgain(source: ListSource, late: readonly Kind[]): void;
  /** What was told as a problem is solved. */
  onSolved(message: string): void;
}

export interface LateLists {
  /** Gives the problems of what was read as they are to be told, and plans the next try if one is needed. */
  note(source: ListSource, heard: Heard): ListProblem[];
  close(): void;
}

/** The last pause is repeated. */
const pausesMs = [5_000, 30_000, 300_000] as const;

export function createLateLists({ clock, readAgain, onSolved }: LateListsOptions): LateLists {
  /** The problem that was told for each list that is still missing. */
  const missing = new Map<Kind, string>();
  let current: ListSource | undefined;
  let tries = 0;
  let stopTimer = () => {};

  const plan = (source: ListSource, pauseMs: number) => {
    stopTimer = clock.after(pauseMs, () => {
      tries++;
      readAgain(source, [...missing.keys()]);
    });
  };

  return {
    note(source, heard) {
      if (current !== source) {
        current = source;
        missing.clear();
        tries = 0;
      }
      const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)] as number;
      const problems: ListProblem[] = [];
      for (const [kind, list] of heard) {
        const before = missing.get(kind);
        missing.delete(kind);
        if (before !== undefined) onSolved(before);
        for (const problem of list.problems) {
          const isMissing = list.late || (kind === 'tools' && list.unread !== undefined);
          const again = isMissing && problem.code === 'WB1014';
          const message = again ? `${problem.message}; it is asked for again in ${pauseMs / 1000} s` : problem.message;
          if (again) missing.set(kind, message);
          problems.push({ ...problem, message });
        }
      }
      stopTimer();
      if (missing.size > 0) plan(source, pauseMs);
      else tries = 0;
      return problems;
    },
    close: () => stopTimer(),
  };
}
