/** The texts that clients of a workbench read in each mode, for a report of what they cost. */
import type { Mode } from '../base/mode.ts';
import { collectTexts, type SurfaceTexts } from '../front/report/surface-texts.ts';
import { scopeView } from '../workbench/view/workbench-view.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** Nothing is started: tools that are not known yet are not counted. */
export async function collectSurfaces(workbench: Workbench, modes: readonly Mode[]): Promise<SurfaceTexts[]> {
  const found: SurfaceTexts[] = [];
  for (const mode of modes) found.push(await collectTexts(scopeView(workbench, { mode }), mode));
  return found;
}
