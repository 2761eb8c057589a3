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
}

/** `scope` tells the views of one workbench apart that show different parts of it. */
export function createSurfaceChooser(bench: WorkbenchView, scope: string): SurfaceChooser {
  const plan = ({ row, own }: Identified, final: boolean): Surface | undefined => {
    const { config, choices } = bench;
    const key = JSON.stringify([scope, row.id, config.mode, settingsOf(config), own ?? null]);
    const kept = choices.find(key);
    if (kept !== undefined) return kept;
    const surface = planSurface({ row, settings: config, own, catalog: () => measureCatalog(bench), final });
    if (surface !== undefined) choices.keep(key, surface);
    return surface;
  };
  return {
    find: (who) => plan(identifyClient(bench.config, who), false),
    async decide(who) {
      const found = plan(identifyClient(bench.config, who), false);
      if (found !== undefined) return found;
      bench.startMissing();
      await bench.listed();
      // Another configuration may have come in the meantime.
      const surface = plan(identifyClient(bench.config, who), true);
      if (surface === undefined) throw new Error('a final decision was left open');
      return surface;
    },
  };
}

function settingsOf({ maxNameLength, schemas, pinned }: Config): unknown[] {
  return [maxNameLength ?? null, schemas ?? null, pinned ?? null];
}
