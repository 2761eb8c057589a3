/** The states of servers for one answer: each is asked for once, because it is put together anew each time. */
import type { ServerStatus } from '../../workbench/reports/server-status.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';

export type StateOf = (key: string) => Pick<ServerStatus, 'state' | 'failure'>;

export function createStateOf(bench: Pick<WorkbenchView, 'statusOf'>): StateOf {
  const known = new Map<string, ServerStatus>();
  return (key) => {
    const status = known.get(key) ?? bench.statusOf(key);
    known.set(key, status);
    return status;
  };
}
