/** The embedder that the configuration asks for. */
import { join } from 'node:path';
import type { EmbeddingSettings } from '../../config/model/config.ts';
import { findOwnPackage } from '../../state/own-package.ts';
import type { Embedder } from './embedder.ts';
import { createHttpEmbedder } from './http-embedder.ts';
import { createPackageEmbedder } from './package-embedder.ts';

export function createEmbedder({ source }: EmbeddingSettings): Embedder {
  if (source.kind === 'url') return createHttpEmbedder(source);
  const { name, model, dir } = source;
  const folders = [dir, join(findOwnPackage(import.meta.dirname))];
  return createPackageEmbedder({ name, folders, ...(model === undefined ? {} : { model }) });
}
