/** `stop`: ends a running Workbench, all of them, or one server of one. */
import {
  exitCode,
  nearestNames,
  type RunningWorkbench,
  toOwnCommand,
  toPrintable,
  WorkbenchError,
} from '../../index.ts';
import { showRunning } from '../output/running-report.ts';
import type { Context } from '../run/session.ts';

export async function stop(context: Context): Promise<number> {
  const { io, args, output } = context;
  const { stateDir } = io;
  const running = stateDir === undefined ? [] : await io.library.findRunning(stateDir);
  const server = args.text('server');
  const chosen = choose(context, running);
  const wanted = server === undefined ? chosen : chosen.filter((each) => hasServer(each, server));
  if (server !== undefined && chosen.length > 0 && wanted.length === 0) throw noServer(server, chosen);
  const own = server === undefined ? {} : { server };
  const stopped = await Promise.all(
    wanted.map(async ({ pid }) => ({
      pid,
      ...own,
      outcome: await io.library.stopRunning({ stateDir: stateDir ?? '', pid, ...own }),
    })),
  );
  if (args.has('json')) output.json({ schemaVersion: 1, stopped });
  else if (stopped.length === 0) output.line('No Workbench is running.');
  const what = server === undefined ? 'Workbench' : `Server '${toPrintable(server)}' of Workbench`;
  for (const { pid, outcome } of args.has('json') ? [] : stopped) {
    if (outcome !== 'left')
      output.line(`${output.paint.green('✓')} ${what} ${pid} ${outcome === 'ended' ? 'has ended' : 'was killed'}`);
  }
  const left = stopped.filter(({ outcome }) => outcome === 'left').map(({ pid }) => pid);
  if (left.length > 0) throw new WorkbenchError('WB1902', `${what} ${left.join(', ')} could not be ended.`);
  return exitCode.ok;
}

/** The ones that are meant; when that cannot be told, they are shown and the person has to say. */
function choose({ args, output }: Context, running: readonly RunningWorkbench[]): readonly RunningWorkbench[] {
  const [wanted] = args.positionals;
  if (wanted === 'all') return running;
  if (wanted === undefined) {
    if (running.length < 2) return running;
    if (!args.has('json')) showRunning(output, running, Date.now());
    throw new WorkbenchError('WB1901', `${running.length} Workbenches are running; say which one to stop.`, {
      fix: `Write one of: ${['all', ...running.slice(0, 4).map(({ pid }) => `${pid}`)].map((which) => toOwnCommand(['stop'], [which])).join(', ')}`,
    });
  }
  const found = running.filter(({ pid }) => String(pid) === wanted);
  if (found.length > 0) return found;
  throw new WorkbenchError('WB1901', `No Workbench "${toPrintable(wanted, 40)}" is running.`, {
    fix: running.length === 0 ? 'None is running.' : `The numbers are in: ${toOwnCommand(['ps'])}`,
  });
}

function hasServer({ servers }: RunningWorkbench, wanted: string): boolean {
  return servers.some(({ name }) => name === wanted);
}

function noServer(server: string, workbenches: readonly RunningWorkbench[]): WorkbenchError {
  const names = [...new Set(workbenches.flatMap(({ servers }) => servers.map(({ name }) => name)))];
  const near = nearestNames(server, names);
  const known = near.length > 0 ? `Did you mean: ${near.join(', ')}` : `These are running: ${names.join(', ')}.`;
  return new WorkbenchError('WB1802', `Server '${server}' is not running.`, {
    fix: names.length === 0 ? 'No server is running; the next call starts it.' : known,
  });
}
