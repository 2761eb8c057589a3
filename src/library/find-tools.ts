/** Finds tools of a workbench by words. */
import { type FindToolsOptions, type FoundTools, findToolsBy } from '../front/report/find-tools.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** Searches what is known now: nothing is started. */
export function findTools(workbench: Workbench, query: string, options: FindToolsOptions): Promise<FoundTools> {
  return findToolsBy(workbench, query, options);
}
