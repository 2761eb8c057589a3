/** Configuration, catalog and toolboxes at one moment. Immutable: every change makes a new one. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { buildToolboxes, type Toolbox } from '../toolbox/toolbox.ts';

export interface Snapshot {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly toolboxes: ReadonlyMap<string, Toolbox>;
}

export function buildSnapshot(config: Config, catalog: Catalog): Snapshot {
  return { config, catalog, toolboxes: buildToolboxes(config, catalog) };
}
