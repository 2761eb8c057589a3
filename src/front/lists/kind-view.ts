/**
 * What modes `meta` and `dynamic` show beside tools: the content of the toolboxes that the client has opened, prompts under
 * `{toolbox}__{server}__{name}`, resources under their public URIs. A client can also use what is not listed: opening a toolbox
 * returns its names.
 */
import { type JsonObject, withMembers } from '../../base/json/json.ts';
import { type Kind, kindRules } from '../../catalog/kind.ts';
import type { Config } from '../../config/model/config.ts';
import { buildDynamicNames, buildUriNames, type NameTable } from '../../toolbox/name-table.ts';
import { parseDynamicName } from '../../toolbox/public-name.ts';
import type { Toolbox } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { NameSpace } from '../calls/find-entry.ts';
import { buildPagedList, type PagedList } from './paged-list.ts';
import { perSnapshot } from './per-snapshot.ts';

export interface OpenedKindView extends NameSpace {
  list(): PagedList;
  /** The definitions of one toolbox, as the client gets them. */
  definitions(toolbox: string): JsonObject[];
}

export function createOpenedKindView(
  bench: WorkbenchView,
  kind: Kind,
  isShown: (toolbox: string) => boolean,
): OpenedKindView {
  const { identity } = kindRules[kind];
  const build = (config: Config, toolboxes: Iterable<Toolbox>): NameTable =>
    identity === 'name' ? buildDynamicNames(config, toolboxes, { kind }) : buildUriNames(config, toolboxes, kind);
  const names = perSnapshot(bench, ({ config, toolboxes }) => build(config, toolboxes.values()));
  const definitionsOf = (wanted: (toolbox: string) => boolean): JsonObject[] => {
    const { config, toolboxes } = bench.snapshot;
    const table = build(
      config,
      [...toolboxes.values()].filter(({ name }) => wanted(name)),
    );
    return [...table.entries].map(([name, { item }]) => withMembers(item.definition, { [identity]: name }));
  };
  return {
    kind,
    names,
    list: () => buildPagedList(kind, definitionsOf(isShown), bench.config.pageSize),
    definitions: (toolbox) => definitionsOf((name) => name === toolbox),
    findOwners(publicName) {
      const address = parseDynamicName(publicName);
      const key = address && bench.snapshot.toolboxes.get(address.toolbox)?.placements.get(address.server)?.key;
      return { named: typeof key === 'string' ? [key] : [], unnamed: [] };
    },
  };
}
