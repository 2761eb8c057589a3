/** Builds the index, and remembers the counted tools of each server, so that a server that changes is counted alone. */
import { createTermMemo } from '../words/term-memo.ts';
import type { WordVectors } from '../words/vectors.ts';
import { mergeSegments } from './merge.ts';
import { countShared, countTool, type SearchedServer, type Segment } from './segment.ts';
import type { Pause } from './slices.ts';
import { createTermReader } from './term-reader.ts';
import type { ToolIndex } from './tool-index.ts';
import { createVocabulary } from './vocabulary.ts';

export interface IndexBuilder {
  build(servers: readonly SearchedServer[], pause: Pause): Promise<ToolIndex>;
}

interface Counted {
  readonly server: SearchedServer;
  readonly segment: Segment;
}

/** Words of servers that left are forgotten when a vocabulary has more terms than this, and twice as many as at its beginning. */
const maxTerms = 20_000;

export function createIndexBuilder(vectors: WordVectors | undefined): IndexBuilder {
  const memo = createTermMemo();
  let vocabulary = createVocabulary();
  let reader = createTermReader(vocabulary, memo);
  let firstTerms = 0;
  let counted: ReadonlyMap<string, Counted> = new Map();

  const count = async (server: SearchedServer, pause: Pause): Promise<Segment> => {
    reader.forget();
    const shared = countShared(server, reader);
    const tools = [];
    for (const item of server.tools) {
      tools.push(countTool(item, reader));
      await pause();
    }
    return { key: server.key, shared, tools };
  };

  return {
    async build(servers, pause) {
      if (vocabulary.terms.length > maxTerms && vocabulary.terms.length > 2 * firstTerms) {
        vocabulary = createVocabulary();
        reader = createTermReader(vocabulary, memo);
        counted = new Map();
      }
      const next = new Map<string, Counted>();
      for (const server of servers) {
        const before = counted.get(server.key);
        const isSame = before !== undefined && isSameServer(before.server, server);
        next.set(server.key, { server, segment: isSame ? before.segment : await count(server, pause) });
      }
      if (counted.size === 0) firstTerms = vocabulary.terms.length;
      counted = next;
      const segments = [...next.values()].map(({ segment }) => segment);
      return mergeSegments({ segments, vocabulary, vectors, pause });
    },
  };
}

/** Whether two accounts of a server are the same to a search. */
export function isSameServer(a: SearchedServer, b: SearchedServer): boolean {
  return a.key === b.key && a.tools === b.tools && a.about === b.about && a.names.join('\n') === b.names.join('\n');
}
