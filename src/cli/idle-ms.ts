/** How long a daemon may be without clients. */
import { WorkbenchError } from '../index.ts';
import type { Args } from './args.ts';

const usualIdleMs = 5 * 60_000;
/** More does not fit into a timer. */
const mostIdleMs = 2_147_483_647;

export function parseIdleMs(args: Args): number {
  const text = args.text('idle-ms');
  if (text === undefined) return usualIdleMs;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= mostIdleMs) return value;
  throw new WorkbenchError('WB1901', `--idle-ms cannot be "${text}".`, {
    fix: `Use whole milliseconds from 1 to ${mostIdleMs}; 300000 is five minutes.`,
  });
}
