/** The pinned tools of a view, under the names by which a client can call them directly. */
import type { JsonObject } from '../../base/json/json.ts';
import { withMembers } from '../../base/json/json.ts';
import { defaultFittedLength } from '../../clients/plan-surface.ts';
import { type Config, namesOf } from '../../config/model/config.ts';
import { buildFlatNames } from '../../toolbox/name-table.ts';
import { findPinned } from '../../toolbox/pinned.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { listedTool, withPinMark } from './listed-tool.ts';
import { perSnapshot } from './per-snapshot.ts';

export interface PinnedTools {
  /** By public name. */
  entries(): ReadonlyMap<string, Entry>;
  definitions(): JsonObject[];
  /** Resolves when the servers of the pins were heard, or have used up their wait. */
  ready(): Promise<void>;
}

/** Names in `reserved` belong to tools of our own: a pinned tool that wants one is left to be found. */
export function createPinnedTools(bench: WorkbenchView, reserved: () => readonly string[]): PinnedTools {
  const entries = perSnapshot(bench, ({ config, toolboxes }): ReadonlyMap<string, Entry> => {
    const { pinned = [] } = config;
    if (pinned.length === 0) return new Map();
    const wanted = new Set(findPinned(pinned, toolboxes.values()).entries.map(toIdentity));
    const { entries: all } = buildFlatNames(withFittingNames(config), toolboxes.values(), 'tools');
    const own = new Set(reserved());
    return new Map([...all].filter(([name, entry]) => wanted.has(toIdentity(entry)) && !own.has(name)));
  });
  return {
    entries,
    definitions: () =>
      [...entries()].map(([name, entry]) => withMembers(withPinMark(listedTool(bench, entry)), { name })),
    async ready() {
      const { pinned = [] } = bench.config;
      if (pinned.length > 0) await bench.listed(findKeys(bench.config, pinned));
    },
  };
}

function toIdentity({ key, item }: Entry): string {
  return JSON.stringify([key, item.name]);
}

/** Public names are given to pinned tools only, so all clients take them. */
function withFittingNames(config: Config): Config {
  return { ...config, fitsNames: true, safeNames: true, maxNameLength: config.maxNameLength ?? defaultFittedLength };
}

/** The servers that pins name. */
function findKeys({ toolboxes }: Config, pinned: readonly string[]): string[] {
  const isNamed = (toolbox: string, server: string) =>
    pinned.some((pin) => pin.startsWith(`${server}/`) || pin.startsWith(`${toolbox}/${server}/`));
  return [...toolboxes.values()].flatMap(({ name, placements }) =>
    placements.filter((placement) => namesOf(placement).some((server) => isNamed(name, server))).map(({ key }) => key),
  );
}
