/** `list`: shows the state of every server: in the Workbench that runs, from an earlier run, or after starting it once. */
import { defined } from '../../base/json/defined.ts';
import { exitCode, type ServerStatus, toPrintable } from '../../index.ts';
import { look } from '../instance/look.ts';
import { toClientLine } from '../output/client-lines.ts';
import type { Output } from '../output/output.ts';
import {
  hasFailed,
  paintMark,
  toCheckCommand,
  toMark,
  toNameText,
  toStateText,
  toToolCount,
  worstExit,
} from '../output/server-report.ts';
import { toTable } from '../output/table.ts';
import { type Context, loadCommandConfig } from '../run/session.ts';

export async function list(context: Context): Promise<number> {
  const { args, output } = context;
  const config = loadCommandConfig(context);
  // Only for a server that was started now is it known whether it can be reached.
  const fresh = args.has('fresh') || args.has('exit-code');
  const { servers, clients } = await look(context, {
    config,
    wanted: config,
    start: { running: 'none', alone: 'missing' },
    fresh,
  });
  if (args.has('json')) output.json({ schemaVersion: 1, servers, ...defined({ clients }) });
  else {
    showServers(output, servers);
    if (clients !== undefined) output.line(`\n${toClientLine(clients)}`);
  }
  return args.has('exit-code') ? worstExit(servers) : exitCode.ok;
}

function showServers(output: Output, servers: readonly ServerStatus[]): void {
  const { paint, width } = output;
  if (servers.length === 0) {
    output.line('The configuration has no servers.');
    return;
  }
  const table = toTable({
    width,
    columns: [
      { title: 'NAME', flexible: true },
      { title: 'STATE', flexible: true },
      { title: 'TOOLS', align: 'right' },
      { title: 'ERA' },
      { title: 'VIA' },
      { title: 'TOOLBOXES', flexible: true },
    ],
    rows: servers.map((server) => ({
      mark: toMark(server),
      paintMark: (mark) => paintMark(paint, mark),
      cells: [
        toNameText(server),
        toStateText(server),
        toToolCount(server) ?? '–',
        server.era ?? '–',
        server.transport,
        toPrintable(server.toolboxes.join(', ')),
      ],
    })),
  });
  for (const line of table) output.line(line);
  for (const server of servers) {
    const { name, failure } = server;
    if (!hasFailed(server) || failure === undefined) continue;
    output.line();
    output.line(`${paintMark(paint, toMark(server))} ${toPrintable(name)}: ${toPrintable(failure.message)}`);
    output.line(`  Fix   ${toPrintable(failure.fix)}`);
    output.line(`  Next  ${toCheckCommand(name)}  ${paint.dim(failure.code)}`);
  }
}
