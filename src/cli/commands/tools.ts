/** `tools`: what the servers offer, as signatures or as complete definitions. */

import { findString } from '../../base/json/json.ts';
import {
  type Address,
  type Config,
  type Entry,
  exitCode,
  nearestNames,
  type ServerStatus,
  type Toolbox,
  toOwnCommand,
  toPrintable,
  WorkbenchError,
} from '../../index.ts';
import { findAddresses, resolveToolName } from '../call/call-target.ts';
import { look } from '../instance/look.ts';
import type { Output } from '../output/output.ts';
import { showRenamed } from '../output/renamed-report.ts';
import { isOutOfReach, toCheckCommand, worstExit } from '../output/server-report.ts';
import { toFirstSentence, toSignature } from '../output/signature.ts';
import { cutToWidth, textWidth } from '../output/text-width.ts';
import { toToolLines } from '../output/tool-report.ts';
import { serverNames, withPlaces, withServer, withToolbox } from '../run/select-config.ts';
import { type Context, loadCommandConfig } from '../run/session.ts';

export async function tools(context: Context): Promise<number> {
  const { args, output } = context;
  const [wanted] = args.positionals;
  const config = loadCommandConfig(context);
  const selection = toSelection(config, wanted);
  const view = await look(context, {
    config,
    wanted: selection.config,
    start: { running: 'missing', alone: 'missing' },
    fresh: args.has('fresh'),
  });
  const { servers, toolboxes } = view;
  const missing = servers.filter(isOutOfReach);
  const entries = toolboxes.flatMap((toolbox) => toolbox.entries);
  if (args.has('renamed')) showRenamed(output, view, args.has('json'));
  else if (selection.tool !== undefined && (entries.length > 0 || missing.length === 0))
    showTool(context, findTool(config, entries, selection));
  else if (args.has('json')) output.json({ schemaVersion: 1, tools: entries.map(toJson) });
  else showToolboxes(output, toolboxes);
  if (entries.length === 0) output.note('There are no tools.');
  for (const server of missing) output.note(toMissingLine(server));
  return wanted === undefined ? exitCode.ok : worstExit(missing);
}

interface Selection {
  /** What is left of the configuration. */
  readonly config: Config;
  /** What may be one tool, with the addresses it can mean by the names of servers. */
  readonly tool?: { readonly target: string; readonly addresses: readonly Address[] };
}

function toSelection(config: Config, wanted: string | undefined): Selection {
  if (wanted === undefined) return { config };
  if (wanted.startsWith('@')) return { config: withToolbox(config, wanted.slice(1)) };
  if (serverNames(config).includes(wanted)) return { config: withServer(config, wanted) };
  const addresses = findAddresses(config, wanted);
  const isMeant = ({ toolbox, server }: Pick<Address, 'toolbox' | 'server'>) =>
    addresses.some((address) => address.toolbox === toolbox && address.server === server);
  const places = addresses.length === 0 ? config : withPlaces(config, isMeant);
  return { config: places, tool: { target: wanted, addresses } };
}

function findTool(config: Config, entries: readonly Entry[], { tool }: Selection): Entry {
  const { target, addresses } = tool ?? { target: '', addresses: [] };
  const meant = addresses.length === 0 ? [resolveToolName(config, entries, target)] : addresses;
  for (const { toolbox, server, name } of meant) {
    const found = entries.find(
      ({ address, tool: own }) =>
        address.toolbox === toolbox &&
        address.server === server &&
        (address.name === name || findString(own, 'name') === name),
    );
    if (found !== undefined) return found;
  }
  const [{ server, name } = { server: '', name: '' }] = meant;
  const near = nearestNames(
    name,
    entries.map(({ address }) => address.name),
  );
  throw new WorkbenchError(
    'WB1803',
    `Tool '${toPrintable(name, 80)}' not found in server '${toPrintable(server, 80)}'.`,
    {
      fix: near.length > 0 ? `Did you mean: ${near.join(', ')}` : `List them: ${toOwnCommand(['tools'], [server])}`,
    },
  );
}

function showTool({ args, output }: Context, entry: Entry): void {
  if (args.has('json')) output.json({ schemaVersion: 1, ...toJson(entry) });
  else for (const line of toToolLines(entry, output)) output.line(line);
}

function toJson({ address, publicName, tool }: Entry) {
  const { toolbox, server, name } = address;
  return { address: { toolbox, server, name }, publicName: publicName ?? null, tool };
}

/** A sentence cut shorter than this says nothing. */
const minRoom = 20;

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
  // It can be called from here; clients do not see it.
  if (entry.publicName === undefined)
    return `${signature}  ${paint.yellow(`hidden: another tool has the same public name; see ${toOwnCommand(['check'])}`)}`;
  const sentence = toPrintable(toFirstSentence(entry));
  const room = width - textWidth(signature) - 2;
  const fits = textWidth(sentence) <= room || room >= minRoom;
  return fits && sentence !== '' ? `${signature}  ${paint.dim(cutToWidth(sentence, room))}` : signature;
}

function toMissingLine({ name, failure }: ServerStatus): string {
  const why = failure === undefined ? 'has not started' : failure.message;
  return `✗ ${toPrintable(name)}: ${toPrintable(why)}  ${toCheckCommand(name)}`;
}
