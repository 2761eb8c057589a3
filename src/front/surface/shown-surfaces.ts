/** What each client of a front is shown, and what clients with the same surface share. */
import type { FixedMode } from '../../base/mode.ts';
import type { Surface } from '../../clients/plan-surface.ts';
import type { Config } from '../../config/model/config.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { ModeSession } from '../front.ts';
import type { Shown } from '../mode-switching-session.ts';
import { createSurfaceChooser, type SurfaceChooser } from './choose-surface.ts';
import type { Who } from './identify-client.ts';
import { createSurfaceView, toSurfaceKey } from './surface-view.ts';
import { createUndecidedSession } from './undecided-session.ts';

export interface ShownSurfacesOptions<Parts> {
  readonly bench: WorkbenchView;
  /** Tells the views of one workbench apart that show different parts of it. */
  readonly scope: string;
  /** Makes what the clients of one view share. */
  share(view: WorkbenchView): Parts;
}

/** Returns what a client is shown now; `make` opens its session. */
export function createShownSurfaces<Parts>({
  bench,
  scope,
  share,
}: ShownSurfacesOptions<Parts>): (who: Who, make: (parts: Parts, mode: FixedMode) => ModeSession) => Shown {
  let chooser: SurfaceChooser | undefined;
  const shared = new Map<string, Parts>();
  const partsOf = (key: string, open: () => WorkbenchView): Parts => {
    const known = shared.get(key) ?? share(open());
    shared.set(key, known);
    return known;
  };
  const toShown = (surface: Surface, make: (parts: Parts, mode: FixedMode) => ModeSession): Shown => {
    const key = toSurfaceKey(surface);
    const parts = () => partsOf(key, () => createSurfaceView(bench, surface));
    return { key, isPending: false, make: () => make(parts(), surface.mode) };
  };
  return (who, make) => {
    const mode = findModeForAll(bench.config);
    if (mode !== undefined)
      return {
        key: mode,
        isPending: false,
        make: () =>
          make(
            partsOf('', () => bench),
            mode,
          ),
      };
    chooser ??= createSurfaceChooser(bench, scope);
    const { find, decide } = chooser;
    const surface = find(who);
    if (surface !== undefined) return toShown(surface, make);
    return {
      key: 'undecided',
      isPending: true,
      make: (current) => createUndecidedSession({ bench, decide: () => decide(who), current }),
    };
  };
}

/** Where every client is shown the same, clients need not be told apart. */
function findModeForAll({ mode, clients }: Config): FixedMode | undefined {
  return mode === 'auto' || clients.size > 0 ? undefined : mode;
}
