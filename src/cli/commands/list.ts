/** `list`: every server started once, and how each one is doing. */
import { exitCode, type ServerStatus, toPrintable } from '../../index.ts';
import type { Output } from '../output.ts';
import {
  hasFailed,
  paintMark,
  toCheckCommand,
  toMark,
  toNameText,
  toServerReport,
  toStateText,
  toToolCount,
  worstExit,
} from '../server-report.ts';
import { type Context, loadCommandConfig, openServers, withWorkbench } from '../session.ts';
import { toTable } from '../table.ts';

export async function list(context: Context): Promise<number> {
  const { args, output } = context;
  const servers = await withWorkbench(context, loadCommandConfig(context), async (session) => {
    await openServers(context, session);
    return session.workbench.servers().map((server) => toServerReport(server, session.hide));
  });
  if (args.has('json')) output.json({ schemaVersion: 1, servers });
  else showServers(output, servers);
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
