/**
 * Wrong tokens: their refusals come later and later, and leave a line in the log now and then. Only what is refused waits, so
 * wrong tokens, from any address, never keep the right token out.
 */
import type { Clock } from '../../../base/async/clock.ts';
import type { Log } from '../../../base/text/log.ts';

export interface WrongTokens {
  /** Resolves when the refusal may be sent. */
  refused(address: string): Promise<void>;
}

/** A person who has pasted the wrong thing is told at once. */
const freeTries = 3;
const firstDelayMs = 50;
const maxDelayMs = 2_000;
/** After so long without a wrong one an address begins anew. */
const forgetMs = 60_000;
const maxAddresses = 1_000;
/** Refusals that wait at once; each holds a connection. */
const maxWaiting = 256;
const logPauseMs = 10_000;

export function createWrongTokens({ clock, log }: { readonly clock: Clock; readonly log: Log }): WrongTokens {
  const tries = new Map<string, { count: number; at: number }>();
  let waiting = 0;
  let untold = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  const countOf = (address: string) => {
    const before = tries.get(address);
    const now = clock.now();
    const count = before === undefined || now - before.at >= forgetMs ? 1 : before.count + 1;
    tries.delete(address);
    tries.set(address, { count, at: now });
    // The one that was heard of longest ago.
    if (tries.size > maxAddresses) tries.delete(tries.keys().next().value as string);
    return count;
  };
  const tell = (address: string) => {
    untold++;
    if (clock.now() - loggedAt < logPauseMs) return;
    loggedAt = clock.now();
    log.warn('wrong token', { code: 'WB1315', address, count: untold });
    untold = 0;
  };
  return {
    async refused(address) {
      tell(address);
      const beyond = countOf(address) - freeTries;
      if (beyond <= 0 || waiting >= maxWaiting) return;
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(beyond - 1, 10));
      waiting++;
      await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
      waiting--;
    },
  };
}
