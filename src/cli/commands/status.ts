/** What a person sees who starts the program in a terminal: what is configured, and what to do next. */
import { type Config, ConfigError, exitCode, toOwnCommand, toPrintable, WorkbenchError } from '../../index.ts';
import { type Output, toPrintableLines } from '../output/output.ts';
import { padToWidth, textWidth } from '../output/text-width.ts';
import { type Context, loadStrictConfig } from '../run/session.ts';
import { toClientEntry } from '../service/client-entry.ts';

export async function status(context: Context): Promise<number> {
  const { io, output } = context;
  const { paint } = output;
  output.line(`${paint.bold(`mcp-workbench ${io.library.version}`)} – one MCP server in front of all your MCP servers`);
  output.line();
  const config = findConfig(context);
  if (config instanceof WorkbenchError) showMissing(context, config);
  else showConfig(context, config);
  output.line(paint.dim('(An MCP client starts this program with a pipe as stdin and does not see this text.)'));
  return exitCode.ok;
}

/** The configuration, or why there is none; a configuration with mistakes is for `main` to report. */
function findConfig(context: Context): Config | WorkbenchError {
  try {
    return loadStrictConfig(context);
  } catch (error) {
    if (error instanceof WorkbenchError && !(error instanceof ConfigError) && error.code === 'WB1407') return error;
    throw error;
  }
}

/** The error says where it was looked for, and shows the smallest file to paste. */
function showMissing({ output }: Context, error: WorkbenchError): void {
  output.line(indent(toPrintableLines(error.message)));
  output.line();
  showCommands(output, [
    ['Next', toOwnCommand(['check']), 'once the file is there'],
    ['Or', toOwnCommand(['demo']), 'see it work first'],
  ]);
  output.line();
}

function showConfig({ io, output }: Context, config: Config): void {
  const { paint } = output;
  const path = config.path ?? '';
  output.line(`  Config    ${toPrintable(path)}  (mode ${config.mode})`);
  for (const { name, description, placements } of config.toolboxes.values()) {
    const servers = placements.map(({ server }) => server).join(', ');
    output.line(`  Toolbox   ${paint.bold(toPrintable(name))}: ${toPrintable(servers)}${toAside(description)}`);
  }
  if (config.mode === 'auto') output.line(`  Clients   ${autoText}`);
  const disabled = [...config.servers.values()].filter((server) => server.disabled).map(({ name }) => name);
  if (disabled.length > 0) output.line(`  Disabled  ${toPrintable(disabled.join(', '))}`);
  output.line();
  showCommands(output, [
    ['Next', toOwnCommand(['check']), 'does every server work?'],
    ['', toOwnCommand(['tools']), 'what do they offer?'],
    ['', toOwnCommand(['list']), 'all of them at a glance'],
  ]);
  output.line();
  output.line('  For a client, paste:');
  output.line();
  output.line(indent(indent(toClientEntry(io.program, path))));
  output.line();
}

const autoText =
  'each sees what fits it: all tools where it searches tools itself or there are few, else tools that search';

function showCommands(
  { line }: Output,
  rows: readonly (readonly [head: string, command: string, what: string])[],
): void {
  const width = Math.max(...rows.map(([, command]) => textWidth(command)));
  for (const [head, command, what] of rows) line(`  ${head.padEnd(8)}  ${padToWidth(command, width)}     ${what}`);
}

function toAside(description: string): string {
  return description === '' ? '' : `  – ${toPrintable(description, 120)}`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}
