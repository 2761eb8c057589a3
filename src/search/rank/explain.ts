/** Why a query finds a tool, for a person who asks. */
import type { Item } from '../../catalog/item.ts';
import type { SearchedServer } from '../index/segment.ts';
import { textsOfTool } from '../index/segment.ts';
import type { Field } from '../index/tool-text.ts';
import { forEachToken } from '../words/split-words.ts';
import { planQuery, type VariantKind } from './expand.ts';
import type { Ranker } from './rank-tools.ts';
import { readQuery } from './read-query.ts';

export interface HitReason {
  /** A word of the query. */
  readonly word: string;
  /** The words of the tool that it found, and the fields they stand in. */
  readonly found: readonly { readonly word: string; readonly kind: VariantKind; readonly fields: readonly Field[] }[];
}

export function explainHit(
  { index, memo, words }: Ranker,
  query: string,
  { server, item }: { readonly server: SearchedServer; readonly item: Item },
): HitReason[] {
  const byTerm = new Map<number, Map<string, Set<Field>>>();
  for (const [field, texts] of textsOfTool(server, item))
    for (const text of texts)
      forEachToken(text, (token) => {
        const { words: written, stems, joined } = memo(token);
        const pairs = written.map((word, at) => [word, stems[at] as string] as const);
        for (const [word, stem] of joined === undefined || field === 'name'
          ? pairs
          : [...pairs, [joined.word, joined.stem] as const]) {
          const term = index.terms.get(stem);
          if (term === undefined) continue;
          const found = byTerm.get(term) ?? new Map<string, Set<Field>>();
          byTerm.set(term, found.set(word, (found.get(word) ?? new Set<Field>()).add(field)));
        }
        return true;
      });
  return planQuery(readQuery(query, memo), index, words).terms.map(({ word, variants }) => ({
    word,
    found: [...variants]
      .sort((a, b) => b.weight - a.weight)
      .flatMap(({ term, kind }) =>
        [...(byTerm.get(term) ?? [])].map(([own, fields]) => ({ word: own, kind, fields: [...fields] })),
      ),
  }));
}
