/** How long a daemon stays without clients. */
import { WorkbenchError } from '../../index.ts';
import type { Args } from '../args/args.ts';

const defaultIdleMs = 5 * 60_000;
/** The maximum of a timer. */
const maxIdleMs = 2_147_483_647;

export function parseIdleMs(args: Args): number {
  const text = args.text('idle-ms');
  if (text === undefined) return defaultIdleMs;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= maxIdleMs) return value;
  throw new WorkbenchError('WB1901', `--idle-ms: "${text}" is not a number of milliseconds.`, {
    fix: `Use whole milliseconds from 1 to ${maxIdleMs}; 300000 is five minutes.`,
  });
}
