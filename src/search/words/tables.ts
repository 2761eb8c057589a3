/** The word tables that are shipped with the program. Search works without them, and finds less. */
import { join } from 'node:path';
import { type Log, silentLog } from '../../base/text/log.ts';
import { findOwnPackage } from '../../state/own-package.ts';
import { findRelatedWords, type RelatedWords } from './related.ts';
import { findWordVectors, type WordVectors } from './vectors.ts';
import { findWordList } from './word-list.ts';

export interface WordTables {
  readonly related?: RelatedWords;
  readonly vectors?: WordVectors;
}

let known: WordTables | undefined;

/** Read once per process, by the first search. */
export function getWordTables(log: Log): WordTables {
  known ??= readWordTables(join(findOwnPackage(import.meta.dirname), 'data'), log);
  return known;
}

export function readWordTables(folder: string, log: Log = silentLog): WordTables {
  const list = findWordList(folder);
  const related = list && findRelatedWords(folder, list);
  const vectors = list && findWordVectors(folder, list);
  if (related === undefined || vectors === undefined)
    log.debug('search has no word tables', { folder, related: related !== undefined, vectors: vectors !== undefined });
  return { ...(related && { related }), ...(vectors && { vectors }) };
}
