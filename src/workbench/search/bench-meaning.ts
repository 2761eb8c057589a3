/** What an embedder says about the tools of a workbench, as long as the configuration in force asks for one. */
import type { EmbeddingSettings } from '../../config/model/config.ts';
import type { OpenSemanticOptions } from '../../search/embed/open-semantic-search.ts';
import type { QuerySearch, SemanticSearch } from '../../search/embed/semantic-search.ts';
import type { SearchedServer } from '../../search/tool-search.ts';

export interface MeaningInput {
  readonly settings: EmbeddingSettings | undefined;
  readonly servers: readonly SearchedServer[];
  readonly queries: readonly string[];
  readonly search: QuerySearch;
}

export interface BenchMeaning {
  /** The search, with the meaning of these queries when it is known in time. */
  about(input: MeaningInput): Promise<QuerySearch>;
  close(): Promise<void>;
}

export function createBenchMeaning(options: OpenSemanticOptions): BenchMeaning {
  let opened: Promise<SemanticSearch> | undefined;
  let openedFor: string | undefined;
  let given: readonly SearchedServer[] | undefined;
  const close = async () => {
    const before = opened;
    opened = undefined;
    openedFor = undefined;
    given = undefined;
    await (await before)?.close();
  };
  const open = async (settings: EmbeddingSettings): Promise<SemanticSearch> => {
    const { openSemanticSearch } = await import('../../search/embed/open-semantic-search.ts');
    return openSemanticSearch(settings, options);
  };
  return {
    async about({ settings, servers, queries, search }) {
      const wanted = settings === undefined ? undefined : JSON.stringify(settings);
      // A reload may name another embedder; what the one before has under way ends by itself.
      if (wanted !== openedFor) void close();
      if (settings === undefined) return search;
      openedFor = wanted;
      opened ??= open(settings);
      const semantic = await opened;
      if (given !== servers) semantic.update(servers);
      given = servers;
      return queries.length === 0 ? search : semantic.about(queries, search);
    },
    close,
  };
}
