/** The texts that clients of a workbench read, for a report of what they cost. */
import type { FixedMode } from '../base/mode.ts';
import { collectTexts, type SurfaceTexts } from '../front/report/surface-texts.ts';
import { createSurfaceChooser } from '../front/surface/choose-surface.ts';
import { createSurfaceView, toSurfaceKey } from '../front/surface/surface-view.ts';
import { scopeView } from '../workbench/view/workbench-view.ts';
import type { Workbench } from '../workbench/workbench.ts';

export interface CollectOptions {
  /** Modes as they are without settings for clients. */
  readonly modes?: readonly FixedMode[];
  /** Ids of clients, each as it is shown the tools; those that are shown the same come together. */
  readonly clients?: readonly string[];
}

/** Nothing is started: tools that are not known yet are not counted. */
export async function collectSurfaces(
  workbench: Workbench,
  { modes = [], clients = [] }: CollectOptions,
): Promise<SurfaceTexts[]> {
  const found: SurfaceTexts[] = [];
  for (const mode of modes) found.push(await collectTexts(scopeView(workbench, { mode }), mode));
  const chooser = createSurfaceChooser(workbench, 'report');
  const surfaces = clients.map((id) => ({ id, surface: chooser.peek({ id, name: undefined }).surface }));
  for (const key of new Set(surfaces.map(({ surface }) => toSurfaceKey(surface)))) {
    const same = surfaces.filter(({ surface }) => toSurfaceKey(surface) === key);
    const [first] = same;
    if (first === undefined) continue;
    const texts = await collectTexts(createSurfaceView(workbench, first.surface), first.surface.mode);
    found.push({ ...texts, clients: same.map(({ id, surface }) => ({ id, why: surface.why })) });
  }
  return found;
}
