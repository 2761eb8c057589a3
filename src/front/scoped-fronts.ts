/** The fronts of one workbench for clients that may see different parts of it: one per part, made on first use. */
import { type Clock, systemClock } from '../base/async/clock.ts';
import { scopeView, type WorkbenchView } from '../workbench/view/workbench-view.ts';
import { createFront } from './create-front.ts';
import type { Front } from './front.ts';

export interface FrontScope {
  /** Only this toolbox, its tools side by side unless the mode is `auto`; undefined for all, in the configured mode. */
  readonly toolbox: string | undefined;
  /** Names of the toolboxes the client may use; undefined for all. */
  readonly allowed: ReadonlySet<string> | undefined;
}

/** Returns the same front for the same scope, and undefined for a toolbox that does not exist for the client. */
export function createScopedFronts(
  bench: WorkbenchView,
  clock: Clock = systemClock,
): (scope: FrontScope) => Front | undefined {
  const fronts = new Map<string, Front>();
  return ({ toolbox, allowed }) => {
    const known = bench.config.toolboxes;
    if (toolbox !== undefined && (!known.has(toolbox) || allowed?.has(toolbox) === false)) return undefined;
    const shown = toolbox !== undefined ? [toolbox] : allowed && [...allowed].filter((name) => known.has(name)).sort();
    const key = JSON.stringify([toolbox ?? null, shown ?? null]);
    let front = fronts.get(key);
    if (front === undefined) {
      const toolboxes = shown && new Set(shown);
      front = createFront(
        scopeView(bench, { toolboxes, sideBySide: toolbox !== undefined }),
        clock,
        shown === undefined ? '' : key,
      );
      fronts.set(key, front);
    }
    return front;
  };
}
