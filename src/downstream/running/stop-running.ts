/** Ends a Workbench that runs elsewhere, or one of its servers. Nothing is signalled that is not proven to be what was written down. */
import { processExists } from '../../state/process-exists.ts';
import { endTree, treeOf } from '../process-tree.ts';
import { findRunning, type RunningServer, type RunningWorkbench } from './find-running.ts';

export interface StopOptions {
  readonly stateDir: string;
  readonly pid: number;
  /** Only the servers of this name; the Workbench goes on. */
  readonly server?: string;
  /** How long a Workbench may take to end by itself. */
  readonly waitMs?: number;
}

/** `ended`: it went when it was asked to. `killed`: it had to be. `left`: something is still there, or cannot be told from others. */
export type StopOutcome = 'ended' | 'killed' | 'left';

/** Longer than the program itself takes before it forces its own end. */
const usualWaitMs = 15_000;
const lookMs = 50;
const proveMs = 1_000;

export async function stopRunning({ stateDir, pid, server, waitMs = usualWaitMs }: StopOptions): Promise<StopOutcome> {
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
  // First itself: it would start its servers again.
  if (left.state === 'running') {
    signal(pid, 'SIGKILL');
    await goneWithin(proveMs, pid, look);
  }
  await endAll(left.servers);
  const still = await look();
  return still === undefined || still.state === 'gone' ? 'killed' : 'left';
}

/** Each with everything it has started. */
async function endAll(servers: readonly RunningServer[]): Promise<StopOutcome> {
  const proven = servers.filter(({ state }) => state === 'running');
  await Promise.all(proven.map(({ pid }) => endTree(treeOf(pid, () => processExists(pid)))));
  return proven.length < servers.length || proven.some(({ pid }) => processExists(pid)) ? 'left' : 'ended';
}

/** Looks often whether the id is in use, and from time to time whether it still is the same process. */
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

/** Nobody there to be told is no failure: whether it is gone is looked at. On Windows every signal ends it at once. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone, or not ours to signal.
  }
}
