/** What all clients of a flat front share: for each kind the table of names and the serialised list. */
import { withMembers } from '../../base/json/json.ts';
import { forEachKind, type Kind, kindRules } from '../../catalog/kind.ts';
import { buildFlatNames, buildUriNames, describeCollision } from '../../toolbox/name-table.ts';
import { findPinned } from '../../toolbox/pinned.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../../workbench/view/snapshot.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { NameSpace } from '../calls/find-entry.ts';
import { resultTools } from '../model-text/read-result-tool.ts';
import { listedTool, withPinMark } from './listed-tool.ts';
import { buildPagedList, type PagedList } from './paged-list.ts';
import { perSnapshot } from './per-snapshot.ts';

export interface KindView extends NameSpace {
  list(): PagedList;
}

export type FlatView = Readonly<Record<Kind, KindView>>;

export function createFlatView(bench: WorkbenchView): FlatView {
  return forEachKind((kind) => createKindView(bench, kind));
}

/** The view of one client: the same for all clients, as long as no server offers this one something else. */
export function ownFlatView(
  own: WorkbenchView,
  shared: { readonly bench: WorkbenchView; readonly view: FlatView },
): FlatView {
  let different: FlatView | undefined;
  const current = (): FlatView => {
    if (own.snapshot === shared.bench.snapshot) return shared.view;
    different ??= createFlatView(own);
    return different;
  };
  return forEachKind((kind) => ({
    kind,
    names: () => current()[kind].names(),
    list: () => current()[kind].list(),
    findOwners: (publicName) => current()[kind].findOwners(publicName),
  }));
}

function createKindView(bench: WorkbenchView, kind: Kind): KindView {
  const reported = new Set<string>();
  const { identity } = kindRules[kind];
  const isUri = identity !== 'name';
  const names = perSnapshot(bench, ({ config, toolboxes }: Snapshot) => {
    const table = isUri
      ? buildUriNames(config, toolboxes.values(), kind)
      : buildFlatNames(config, toolboxes.values(), kind);
    for (const [name, owners] of table.collisions) {
      if (reported.has(name)) continue;
      reported.add(name);
      bench.log.warn(describeCollision(name, owners), { code: 'WB1701' });
    }
    return table;
  });
  const list = perSnapshot(bench, ({ config, toolboxes }: Snapshot) => {
    const pinned = kind === 'tools' ? findPinned(config.pinned ?? [], toolboxes.values()).entries : [];
    const isPinned = ({ key, item }: Entry) => pinned.some((pin) => pin.key === key && pin.item === item);
    const definitions = [...names().entries].map(([name, entry]) => {
      const listed = listedTool({ config }, entry);
      return withMembers(isPinned(entry) ? withPinMark(listed) : listed, { [identity]: name });
    });
    const own = kind === 'tools' ? resultTools(config) : [];
    return buildPagedList(kind, [...own, ...definitions], config.pageSize);
  });
  /** Any name may belong to a server that is shown without its own name. */
  const findOwners = (publicName: string) => {
    const { separator, servers } = bench.config;
    const all = bench.servers();
    const isNamed = (name: string | undefined) => name !== undefined && publicName.startsWith(`${name}${separator}`);
    const named = all.filter(({ key, name }) => isNamed(name) || isNamed(servers.get(key)?.instanceOf));
    const unnamed = all.filter(({ key }) => servers.get(key)?.prefix === false);
    return { named: named.map(({ key }) => key), unnamed: unnamed.map(({ key }) => key) };
  };
  return { kind, names, list, findOwners };
}
