/** From which length on a result of a tool is cut to a preview, and the tool that reads the rest. */
import { type Mode, modeFacts } from '../../base/mode.ts';
import type { Config, ResultSettings } from './config.ts';

/** Clients begin to warn about, or to cut, results of 10,000 to 25,000 tokens. */
export const defaultResultTokens = 10_000;

export const readResultName = 'read_result';

/** In estimated tokens; 0 when results are passed on whole. */
export function maxResultTokens({ results, mode }: Pick<Config, 'results' | 'mode'>): number {
  return results?.maxTokens ?? (modeFacts[mode].fitsResults ? defaultResultTokens : 0);
}

/** The settings of a client that is shown another mode than the one of the file: what either of them says holds. */
export function toResultSettings({ results, mode }: Pick<Config, 'results' | 'mode'>, shown: Mode): ResultSettings {
  const isFitted = modeFacts[mode].fitsResults || modeFacts[shown].fitsResults;
  return { maxTokens: results?.maxTokens ?? (isFitted ? defaultResultTokens : 0) };
}
