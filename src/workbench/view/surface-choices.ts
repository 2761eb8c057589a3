/**
 * What clients are shown in this run. A choice is made once and kept until the configuration that it follows from changes: a list
 * that changes its form in the middle of a conversation would cost a model what it has learnt.
 */
import { createEmitter } from '../../base/async/emitter.ts';
import type { Surface } from '../../clients/plan-surface.ts';

export interface SurfaceChoices {
  find(key: string): Surface | undefined;
  keep(key: string, surface: Surface): void;
  /** All that were made, the newest last. */
  all(): Surface[];
  onKept(listener: () => void): () => void;
}

export function createSurfaceChoices(): SurfaceChoices {
  const kept = new Map<string, Surface>();
  const news = createEmitter<void>();
  return {
    find: (key) => kept.get(key),
    keep(key, surface) {
      kept.set(key, surface);
      news.emit();
    },
    all: () => [...kept.values()],
    onKept: news.on,
  };
}
