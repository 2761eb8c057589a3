/** The comparison of meanings that the configuration asks for; loaded when it is set up. */
import type { Clock } from '../../base/async/clock.ts';
import type { Log } from '../../base/text/log.ts';
import type { EmbeddingSettings } from '../../config/model/config.ts';
import { findOwnPackage } from '../../state/own-package.ts';
import type { Embedder } from './embedder.ts';
import { createHttpEmbedder } from './http-embedder.ts';
import { createPackageEmbedder } from './package-embedder.ts';
import { createSemanticSearch, type SemanticSearch } from './semantic-search.ts';

export interface OpenSemanticOptions {
  /** Where vectors are kept between runs; undefined when nothing is kept. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The caller closes it. */
export function openSemanticSearch(settings: EmbeddingSettings, options: OpenSemanticOptions): SemanticSearch {
  const { queryPrefix, toolPrefix, timeoutMs } = settings;
  const embedder = createEmbedder(settings, options.clock);
  return createSemanticSearch({ embedder, queryPrefix, toolPrefix, timeoutMs, ...options });
}

function createEmbedder({ source }: EmbeddingSettings, clock: Clock): Embedder {
  if (source.kind === 'url') return createHttpEmbedder(source);
  const { dir, ...names } = source;
  return createPackageEmbedder({ ...names, folders: [dir, findOwnPackage(import.meta.dirname)], clock });
}
