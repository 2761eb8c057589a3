/** The surface of each client of a front, decided once per run: see `SurfaceChoices`. */
import { planSurface, type Surface } from '../../clients/plan-surface.ts';
import type { Config } from '../../config/model/config.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { type Identified, identifyClient, type Who } from './identify-client.ts';
import { measureCatalog } from './measure-catalog.ts';

export interface SurfaceChooser {
  /** Undefined while it depends on servers that have not been heard. */
  find(who: Who): Surface | undefined;
  /** Starts servers and waits for them where the decision needs it, as a list in mode `flat` does. */
  decide(who: Who): Promise<Surface>;
  /** What is kept, or what would be decided now; keeps nothing. */
  peek(who: Who): { readonly surface: Surface; readonly isKept: boolean };
}

/** `scope` tells the views of one workbench apart that show different parts of it. */
export function createSurfaceChooser(bench: WorkbenchView, scope: string): SurfaceChooser {
  const plan = ({ row, own }: Identified, final: boolean): Surface | undefined =>
    planSurface({ row, settings: bench.config, own, catalog: () => measureCatalog(bench), final });
  const keyOf = ({ row, own }: Identified) =>
    JSON.stringify([scope, row.id, bench.config.mode, settingsOf(bench.config), own ?? null]);
  const find = (who: Who, final: boolean): Surface | undefined => {
    const identified = identifyClient(bench.config, who);
    const key = keyOf(identified);
    const kept = bench.choices.find(key);
    if (kept !== undefined) return kept;
    const surface = plan(identified, final);
    if (surface !== undefined) bench.choices.keep(key, surface);
    return surface;
  };
  const decided = (surface: Surface | undefined): Surface => {
    if (surface === undefined) throw new Error('a final decision was left open');
    return surface;
  };
  return {
    find: (who) => find(who, false),
    async decide(who) {
      const found = find(who, false);
      if (found !== undefined) return found;
      bench.startMissing();
      await bench.listed();
      // Another configuration may have come in the meantime.
      return decided(find(who, true));
    },
    peek(who) {
      const identified = identifyClient(bench.config, who);
      const kept = bench.choices.find(keyOf(identified));
      return { surface: kept ?? decided(plan(identified, true)), isKept: kept !== undefined };
    },
  };
}

function settingsOf({ maxNameLength, schemas, pinned }: Config): unknown[] {
  return [maxNameLength ?? null, schemas ?? null, pinned ?? null];
}
