/**
 * Configuration, catalog and toolboxes at one moment. Immutable: every change makes a new one. The catalog is read and the toolboxes
 * are filled when code first looks at them: a client is answered before that, and most snapshots that servers make while they
 * start are never looked at.
 */
import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../config/model/config.ts';
import { buildToolboxes, type Toolbox } from '../../toolbox/toolbox.ts';

export interface Snapshot {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly toolboxes: ReadonlyMap<string, Toolbox>;
}

export function buildSnapshot(config: Config, given: Catalog | (() => Catalog)): Snapshot {
  let catalog: Catalog | undefined;
  let toolboxes: Snapshot['toolboxes'] | undefined;
  const snapshot: Snapshot = {
    config,
    get catalog() {
      catalog ??= typeof given === 'function' ? given() : given;
      return catalog;
    },
    get toolboxes() {
      toolboxes ??= buildToolboxes(config, snapshot.catalog);
      return toolboxes;
    },
  };
  return snapshot;
}
