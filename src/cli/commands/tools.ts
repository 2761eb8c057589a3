/** `tools`: what the servers offer, as signatures or as complete definitions. */
import { type Config, type Entry, exitCode, type ServerStatus, type Toolbox, toPrintable } from '../../index.ts';
import { hideIn } from '../failure.ts';
import { withServer, withToolbox } from '../narrow.ts';
import type { Output } from '../output.ts';
import { isUnreachable, toCheckCommand, toServerReport, worstExit } from '../server-report.ts';
import { type Context, loadCommandConfig, openServers, withWorkbench } from '../session.ts';
import { toFirstSentence, toSignature } from '../signature.ts';
import { cutToWidth, textWidth } from '../text-width.ts';

export async function tools(context: Context): Promise<number> {
  const { args, output } = context;
  const [wanted] = args.positionals;
  const config = toSelection(loadCommandConfig(context), wanted);
  const { toolboxes, missing } = await withWorkbench(context, config, async (session) => {
    await openServers(context, session);
    const servers = session.workbench.servers().map((server) => toServerReport(server, session.hide));
    const toolboxes = session.workbench.toolboxes().map((toolbox) => toShown(toolbox, session.hide));
    return { toolboxes, missing: servers.filter(isUnreachable) };
  });
  if (args.has('json'))
    output.json({ schemaVersion: 1, tools: toolboxes.flatMap(({ entries }) => entries.map(toJson)) });
  else showToolboxes(output, toolboxes);
  if (toolboxes.every(({ entries }) => entries.length === 0)) output.note('There are no tools.');
  for (const server of missing) output.note(toMissingLine(server));
  return wanted === undefined ? exitCode.ok : worstExit(missing);
}

function toSelection(config: Config, wanted: string | undefined): Config {
  if (wanted === undefined) return config;
  return wanted.startsWith('@') ? withToolbox(config, wanted.slice(1)) : withServer(config, wanted);
}

/** What servers say of their tools may hold what they were given; under its name a tool is called. */
function toShown(toolbox: Toolbox, hide: (text: string) => string): Toolbox {
  const entries = toolbox.entries.map((entry) => {
    const { name, ...rest } = entry.tool;
    return { ...entry, tool: { ...(name === undefined ? {} : { name }), ...hideIn(rest, hide) } };
  });
  return { ...toolbox, entries };
}

function toJson({ address, publicName, tool }: Entry) {
  const { toolbox, server, name } = address;
  return { address: { toolbox, server, name }, publicName: publicName ?? null, tool };
}

/** A sentence cut shorter than this says nothing. */
const leastRoom = 20;

function showToolboxes(output: Output, toolboxes: readonly Toolbox[]): void {
  const { paint } = output;
  for (const [at, { name, description, entries }] of toolboxes.entries()) {
    if (at > 0) output.line();
    const heading = `${paint.bold(`@${toPrintable(name)}`)}  ${toPrintable(description)}`.trimEnd();
    if (toolboxes.length > 1) output.line(heading);
    for (const entry of entries) output.line(toToolLine(output, entry));
  }
}

function toToolLine({ width, paint }: Output, entry: Entry): string {
  const signature = toPrintable(toSignature(entry), 2_000);
  const sentence = toPrintable(toFirstSentence(entry));
  const room = width - textWidth(signature) - 2;
  const fits = textWidth(sentence) <= room || room >= leastRoom;
  return fits && sentence !== '' ? `${signature}  ${paint.dim(cutToWidth(sentence, room))}` : signature;
}

function toMissingLine({ name, failure }: ServerStatus): string {
  const why = failure === undefined ? 'has not started' : failure.message;
  return `✗ ${toPrintable(name)}: ${toPrintable(why)}  ${toCheckCommand(name)}`;
}
