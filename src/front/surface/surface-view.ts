/** The workbench as clients with one surface see it: the same tools, in the configuration that shows them so. */
import { memoize } from '../../base/async/memoize.ts';
import type { Surface } from '../../clients/plan-surface.ts';
import type { Config } from '../../config/model/config.ts';
import { toResultSettings } from '../../config/model/result-limit.ts';
import { toSeparator } from '../../toolbox/public-name.ts';
import type { Snapshot } from '../../workbench/view/snapshot.ts';
import { deriveView, type WorkbenchView } from '../../workbench/view/workbench-view.ts';

/** Equal for surfaces that look the same, for whichever clients they were chosen. */
export function toSurfaceKey({ mode, fitsNames, maxNameLength, schemas, pinned }: Surface): string {
  return JSON.stringify([mode, fitsNames, maxNameLength ?? null, schemas, pinned]);
}

export function createSurfaceView(bench: WorkbenchView, surface: Surface): WorkbenchView {
  const cut = memoize((whole: Snapshot): Snapshot => {
    const config = withSurface(whole.config, surface);
    return {
      config,
      get catalog() {
        return whole.catalog;
      },
      get toolboxes() {
        return whole.toolboxes;
      },
    };
  });
  const derive = (from: WorkbenchView): WorkbenchView =>
    deriveView(from, { snapshot: () => cut(from.snapshot), of: (client) => derive(from.of(client)) });
  return derive(bench);
}

/** The configuration in which a client with this surface is served. */
export function withSurface(config: Config, surface: Surface): Config {
  const { mode, fitsNames, maxNameLength, schemas, pinned } = surface;
  const safeNames = fitsNames || config.safeNames;
  return {
    ...config,
    ...{ mode, fitsNames, maxNameLength, schemas, pinned, safeNames },
    results: toResultSettings(config, mode),
    separator: toSeparator({ separator: config.separator, safeNames }),
  };
}
