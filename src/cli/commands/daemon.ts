/**
 * `daemon`: runs the servers of a configuration for every client that attaches; or asks the running daemon for its status, or
 * ends it.
 */
import { exitCode, toPrintable, WorkbenchError } from '../../index.ts';
import { askDaemon } from '../instance/ask-daemon.ts';
import { parseIdleMs } from '../run/idle-ms.ts';
import type { Context } from '../run/session.ts';
import { runDaemon } from '../service/run-daemon.ts';

export async function daemon(context: Context): Promise<number> {
  const { args, output } = context;
  const asks = args.has('status') || args.has('stop');
  if (args.has('status') && args.has('stop'))
    throw new WorkbenchError('WB1901', '--status and --stop contradict each other.', { fix: 'Leave one of them out.' });
  if (!asks) {
    if (args.has('json'))
      throw new WorkbenchError('WB1901', '--json needs --status or --stop.', { fix: 'Leave it out, or add one.' });
    return runDaemon(context, parseIdleMs(args));
  }
  const { config, status } = await askDaemon(context, args.has('stop') ? 'stop' : 'status');
  if (args.has('json')) output.json({ schemaVersion: 1, running: status !== undefined, config, ...status });
  else if (status === undefined) output.line(`No daemon is running for ${config}`);
  else if (args.has('stop')) output.line(`${output.paint.green('✓')} Daemon ${status.pid} has ended`);
  else {
    const rows = { process: status.pid, since: status.since, clients: status.clients, config, log: status.log };
    for (const [name, value] of Object.entries(rows)) output.line(`${name.padEnd(8)} ${value}`);
    for (const mistake of status.mistakes) output.line(`${'mistake'.padEnd(8)} ${toPrintable(mistake, 1_000)}`);
  }
  return exitCode.ok;
}
