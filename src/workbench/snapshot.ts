/**
 * Configuration, catalog and toolboxes at one moment. Immutable: every change makes a new one. The toolboxes are built when they
 * are first read: while servers start, each makes a new snapshot, and most of these are never read.
 */
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { buildToolboxes, type Toolbox } from '../toolbox/toolbox.ts';

export interface Snapshot {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly toolboxes: ReadonlyMap<string, Toolbox>;
}

export function buildSnapshot(config: Config, catalog: Catalog): Snapshot {
  let toolboxes: Snapshot['toolboxes'] | undefined;
  return {
    config,
    catalog,
    get toolboxes() {
      toolboxes ??= buildToolboxes(config, catalog);
      return toolboxes;
    },
  };
}
