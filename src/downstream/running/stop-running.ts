/** Ends another running Workbench, or one of its servers. Only a process that is proven to be the recorded one is signalled. */
import { processExists } from '../../state/process-exists.ts';
import { endTree, treeOf } from '../process/process-tree.ts';
import { findRunning, type RunningServer, type RunningWorkbench } from './find-running.ts';

export interface StopOptions {
  readonly stateDir: string;
  readonly pid: number;
  /** Only the servers of this name; the Workbench goes on. */
  readonly server?: string;
  /** How long a Workbench may take to end by itself. */
  readonly waitMs?: number;
}

/** `ended`: it ended when it was asked to. `killed`: it had to be killed. `left`: something still runs, or cannot be told from other processes. */
export type StopOutcome = 'ended' | 'killed' | 'left';

/** Longer than the program itself takes before it forces its own end. */
const defaultWaitMs = 15_000;
const lookMs = 50;
const proveMs = 1_000;

export async function stopRunning({
  stateDir,
  pid,
  server,
  waitMs = defaultWaitMs,
}: StopOptions): Promise<StopOutcome> {
  const look = async () => (await findRunning(stateDir)).find((each) => each.pid === pid);
  const workbench = await look();
  if (workbench === undefined) return 'ended';
  if (server !== undefined) return endAll(workbench.servers.filter(({ name }) => name === server));
  if (workbench.state === 'unknown') return 'left';
  if (workbench.state === 'running') {
    signal(pid, 'SIGTERM');
    await goneWithin(waitMs, pid, look);
  }
  const left = await look();
  if (left === undefined) return 'ended';
  // The Workbench comes first: it would start its servers again.
  if (left.state === 'running') {
    signal(pid, 'SIGKILL');
    await goneWithin(proveMs, pid, look);
  }
  await endAll(left.servers);
  const still = await look();
  return still === undefined || still.state === 'gone' ? 'killed' : 'left';
}

/** Ends each server with everything it has started. */
async function endAll(servers: readonly RunningServer[]): Promise<StopOutcome> {
  const proven = servers.filter(({ state }) => state === 'running');
  await Promise.all(proven.map(({ pid }) => endTree(treeOf(pid, () => processExists(pid)))));
  return proven.length < servers.length || proven.some(({ pid }) => processExists(pid)) ? 'left' : 'ended';
}

/** Checks often whether the id is in use, and from time to time whether it is still the same process. */
async function goneWithin(
  limitMs: number,
  pid: number,
  look: () => Promise<RunningWorkbench | undefined>,
): Promise<void> {
  const until = performance.now() + limitMs;
  let proveAt = performance.now() + proveMs;
  while (processExists(pid) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    if (performance.now() < proveAt) continue;
    if ((await look())?.state !== 'running') return;
    proveAt = performance.now() + proveMs;
  }
}

/** A process that is gone is not a failure: the caller checks that. On Windows every signal ends the process at once. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process is gone, or we may not signal it.
  }
}
