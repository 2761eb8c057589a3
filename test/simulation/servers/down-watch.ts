/** Holds the Workbench to what it promises of a server that is down: who calls it is told at once, but for the one who tries it. */
import type { LinkState } from '../../../src/downstream/link/link-status.ts';
import type { Judge } from '../checks/judge.ts';
import type { Attempt } from '../checks/records.ts';

export interface DownWatch {
  /** How a server is now, whether its tools are known, and whether only time made it so. */
  became(name: string, now: { readonly state: LinkState; readonly known: boolean; readonly alone: boolean }): void;
  /** Another has taken its place. */
  forget(name: string): void;
  /** A call has reached the Workbench. */
  received(attempt: Attempt): void;
  /** Nobody waits for it any more. */
  over(attempt: Attempt): void;
  /** Everything that follows from what was done has happened. */
  check(): void;
}

interface Episode {
  /** Somebody who called it, or wanted to. */
  trying: boolean;
  readonly waiting: Set<Attempt>;
}

export function createDownWatch(judge: Judge): DownWatch {
  const episodes = new Map<string, Episode>();
  return {
    became(name, { state, known, alone }) {
      const episode = episodes.get(name);
      if (state === 'sleeping') judge.tally.sleeps++;
      if (state === 'down') {
        if (episode === undefined) judge.tally.downs++;
        // Whoever calls for what was never heard may wait for it to be listed.
        if (episode !== undefined) episode.trying = false;
        else if (known) episodes.set(name, { trying: false, waiting: new Set() });
      } else if (state === 'starting' && episode !== undefined) {
        judge.tally.tries++;
        episode.trying = !alone;
      } else episodes.delete(name);
    },
    forget: (name) => void episodes.delete(name),
    received(attempt) {
      const name = judge.calls.get(attempt.nonce ?? '')?.spec.name ?? '';
      if (attempt.intent === 'plain') episodes.get(name)?.waiting.add(attempt);
    },
    over(attempt) {
      for (const { waiting } of episodes.values()) waiting.delete(attempt);
    },
    check() {
      for (const [name, { trying, waiting }] of episodes) {
        if (waiting.size > (trying ? 1 : 0))
          judge.fail(`requests ${[...waiting].map(({ number }) => number).join(', ')} wait for ${name}, which is down`);
      }
    },
  };
}
