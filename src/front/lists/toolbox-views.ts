/** What modes `meta` and `dynamic` show beside tools, for one client. */
import type { JsonObject } from '../../base/json/json.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Toolbox } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { createOpenedKindView, type OpenedKindView } from './kind-view.ts';

export type ToolboxViews = Readonly<Record<Exclude<Kind, 'tools'>, OpenedKindView>> & {
  /** The content of a toolbox beside tools, for the answer of open_toolbox; only what exists. */
  describe(toolbox: string): JsonObject;
};

export function createToolboxViews(bench: WorkbenchView, isShown: (toolbox: string) => boolean): ToolboxViews {
  const views = {
    prompts: createOpenedKindView(bench, 'prompts', isShown),
    resources: createOpenedKindView(bench, 'resources', isShown),
    resourceTemplates: createOpenedKindView(bench, 'resourceTemplates', isShown),
  };
  return {
    ...views,
    describe(toolbox) {
      const found = Object.values(views).map(({ kind, definitions }) => [kind, definitions(toolbox)] as const);
      return Object.fromEntries(found.filter(([, definitions]) => definitions.length > 0));
    },
  };
}

/** The only toolbox of a configuration: there is nothing to choose, so it counts as open. */
export function findOnlyToolbox({ snapshot }: WorkbenchView): Toolbox | undefined {
  const [first, ...others] = snapshot.toolboxes.values();
  return others.length === 0 ? first : undefined;
}

/** A list that must not change with the client's requests has to be complete from the beginning. */
export async function startOnlyToolbox(bench: WorkbenchView): Promise<void> {
  const keys = [...(findOnlyToolbox(bench)?.placements.values() ?? [])].map(({ key }) => key);
  const untried = keys.filter((key) => bench.statusOf(key).state === 'configured');
  if (untried.length > 0) bench.startAll(untried);
  await bench.listed(keys);
}
