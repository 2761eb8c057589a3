/** The workbench of the library, which introduces itself to servers as ours. */
import { workbenchName } from '../base/call/trail.ts';
import { version } from '../version.ts';
import type { WorkbenchOptions } from '../workbench/view/options.ts';
import { Workbench } from '../workbench/workbench.ts';

/** A workbench over a configuration. Nothing is started before it is needed; the caller closes it. */
export function createWorkbench(options: Omit<WorkbenchOptions, 'identity'>): Workbench {
  return new Workbench({ ...options, identity: { name: workbenchName, version } });
}
