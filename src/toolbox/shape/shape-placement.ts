/** All tools of one server in one toolbox, as the configuration wants them shown. Loaded when a configuration has such wishes. */
import type { Item } from '../../catalog/item.ts';
import type { ToolShape } from '../../config/model/tool-shape.ts';
import type { MergedTool } from './merge-instances.ts';
import { type ShapeOutcome, shapeTool } from './shape-tools.ts';
import type { Change, Shaped, ShapedItem } from './shaped.ts';

/** A tool that clients do not see. */
export interface UnshownTool {
  readonly own: Item;
  /** The entry in the file. */
  readonly path: string;
  /** Why it cannot be shown; undefined when it is hidden on purpose. */
  readonly problem?: string;
}

export interface ShapedTools {
  readonly shown: readonly ShapedItem[];
  readonly unshown: readonly UnshownTool[];
}

/** A tool is shaped once for each list of entries: lists of tools are built anew at every change of any server. */
const known = new WeakMap<Item, WeakMap<readonly ToolShape[], ShapeOutcome>>();

/** Tools of several instances, with the way to each of them. */
export function shapeMerged(tools: readonly MergedTool[], shapes: readonly ToolShape[], path: string): ShapedTools {
  const routes = new Map(tools.map((tool) => [tool.item, tool.routes]));
  const { shown, unshown } = shapePlacement(
    tools.map(({ item }) => item),
    shapes,
  );
  const selected = shown.map(({ item, shaped = unchanged(item) }): ShapedItem => {
    const own = routes.get(shaped.own);
    const change: Change = { what: 'instances', path, detail: [...(own?.keys.keys() ?? [])].join(', ') };
    return { item, shaped: { ...shaped, changes: [...shaped.changes, change], ...(own && { routes: own }) } };
  });
  return { shown: selected, unshown };
}

function unchanged(own: Item): Shaped {
  return { own, aliases: [], fixed: new Map(), defaults: new Map(), withheld: new Set(), changes: [] };
}

export function shapePlacement(items: readonly Item[], shapes: readonly ToolShape[]): ShapedTools {
  const shown: ShapedItem[] = [];
  const unshown: UnshownTool[] = [];
  for (const own of items) {
    const outcome = shapeOnce(own, shapes);
    if ('item' in outcome) shown.push(outcome);
    else if ('hidden' in outcome) unshown.push({ own, path: outcome.hidden });
    else unshown.push({ own, path: outcome.path, problem: outcome.problem });
  }
  return withoutClashes(shown, unshown);
}

function shapeOnce(item: Item, shapes: readonly ToolShape[]): ShapeOutcome {
  const byShapes = known.get(item) ?? new WeakMap<readonly ToolShape[], ShapeOutcome>();
  known.set(item, byShapes);
  const outcome = byShapes.get(shapes) ?? shapeTool(item, shapes);
  byShapes.set(shapes, outcome);
  return outcome;
}

/** Two tools that get the same name are both left out, so that no call can reach the wrong one. */
function withoutClashes(shown: readonly ShapedItem[], unshown: readonly UnshownTool[]): ShapedTools {
  const owners = new Map<string, ShapedItem[]>();
  for (const each of shown) owners.set(each.item.shown, [...(owners.get(each.item.shown) ?? []), each]);
  const clashing = [...owners.values()].filter((each) => each.length > 1).flat();
  if (clashing.length === 0) return { shown, unshown };
  const problems = clashing.map(({ item, shaped }) => {
    const path = shaped?.changes.find(({ what }) => what === 'name')?.path;
    const source = clashing.find((other) => other.item.shown === item.shown && other.shaped !== undefined);
    return {
      own: shaped?.own ?? item,
      path: path ?? source?.shaped?.changes[0]?.path ?? '',
      problem: `another tool of the server has the name "${item.shown}" too`,
    };
  });
  return { shown: shown.filter((each) => !clashing.includes(each)), unshown: [...unshown, ...problems] };
}

const searched = new WeakMap<readonly Item[], WeakMap<readonly ToolShape[], readonly Item[]>>();

/** The tools of a server as they are searched: as they are shown, where they are shown. The same array for the same tools. */
export function shapeSearched(items: readonly Item[], shapes: readonly ToolShape[]): readonly Item[] {
  const byShapes = searched.get(items) ?? new WeakMap<readonly ToolShape[], readonly Item[]>();
  searched.set(items, byShapes);
  let tools = byShapes.get(shapes);
  if (tools === undefined) {
    tools = items.map((own) => {
      const outcome = shapeOnce(own, shapes);
      return 'item' in outcome ? outcome.item : own;
    });
    byShapes.set(shapes, tools);
  }
  return tools;
}
