/**
 * What modes `meta` and `dynamic` show beside tools: what the toolboxes hold that the client has opened, under
 * `{toolbox}__{server}__{name}`. What is not listed can be asked for all the same: its name is told when a toolbox is opened.
 */
import { type JsonObject, withMembers } from '../base/json.ts';
import { type Kind, kindRules } from '../catalog/kind.ts';
import { buildDynamicNames, type NameTable } from '../toolbox/name-table.ts';
import { parseDynamicName } from '../toolbox/public-name.ts';
import type { Bench } from '../workbench/bench.ts';
import type { NameSpace } from './find-entry.ts';
import { buildPagedList, type PagedList } from './paged-list.ts';
import { perSnapshot } from './per-snapshot.ts';

export interface OpenedView extends NameSpace {
  list(): PagedList;
  /** The definitions of one toolbox, as the client gets them. */
  definitions(toolbox: string): JsonObject[];
}

export function createOpenedView(bench: Bench, kind: Kind, isShown: (toolbox: string) => boolean): OpenedView {
  const { identity } = kindRules[kind];
  const names = perSnapshot(
    bench,
    ({ config, toolboxes }): NameTable => buildDynamicNames(config, toolboxes.values(), { kind }),
  );
  const definitionsOf = (wanted: (toolbox: string) => boolean): JsonObject[] =>
    [...names().entries]
      .filter(([, { address }]) => wanted(address.toolbox))
      .map(([name, { item }]) => withMembers(item.definition, { [identity]: name }));
  return {
    kind,
    names,
    list: () => buildPagedList(kind, definitionsOf(isShown), bench.config.pageSize),
    definitions: (toolbox) => definitionsOf((name) => name === toolbox),
    findOwners(publicName) {
      const address = parseDynamicName(publicName);
      const key = address && bench.snapshot.toolboxes.get(address.toolbox)?.placements.get(address.server)?.key;
      return typeof key === 'string' ? [key] : [];
    },
  };
}
