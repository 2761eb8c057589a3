/** From which length on a result of a tool is cut to a preview, and the tool that reads the rest. */
import { modeFacts } from '../../base/mode.ts';
import type { Config } from './config.ts';

/** Clients begin to warn about, or to cut, results of 10,000 to 25,000 tokens. */
export const defaultResultTokens = 10_000;

export const readResultName = 'read_result';

/** In estimated tokens; 0 when results are passed on whole. */
export function maxResultTokens({ results, mode }: Pick<Config, 'results' | 'mode'>): number {
  return results?.maxTokens ?? (modeFacts[mode].fitsResults ? defaultResultTokens : 0);
}
