/** `ps`: the Workbenches of this user that run now, with the servers they have started. */
import { exitCode } from '../../index.ts';
import { showRunning, toRunningJson } from '../output/running-report.ts';
import type { Context } from '../run/session.ts';

export async function ps({ io, args, output }: Context): Promise<number> {
  const workbenches = io.stateDir === undefined ? [] : await io.library.findRunning(io.stateDir);
  if (args.has('json')) output.json(toRunningJson(workbenches));
  else if (workbenches.length === 0) output.line('No Workbench is running.');
  else showRunning(output, workbenches, Date.now());
  return exitCode.ok;
}
