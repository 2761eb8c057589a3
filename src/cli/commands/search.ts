/** `search`: finds tools by words, with the engine that models use in mode `search`, and says why. */
import { exitCode, type FoundTool, type FoundTools, toOwnCommand, toPrintable, WorkbenchError } from '../../index.ts';
import type { Output } from '../output/output.ts';
import { toPlainSentence } from '../output/signature.ts';
import { cutToWidth, textWidth } from '../output/text-width.ts';
import { withToolbox } from '../run/select-config.ts';
import { type Context, loadCommandConfig, openServers, withWorkbench } from '../run/session.ts';

const defaultLimit = 10;
const maxLimit = 100;

export async function search(context: Context): Promise<number> {
  const { args, io, output } = context;
  const limit = readLimit(args.text('limit'));
  const toolbox = args.text('toolbox');
  const whole = loadCommandConfig(context);
  const config = toolbox === undefined ? whole : withToolbox(whole, toolbox);
  const fresh = args.has('fresh');
  const query = args.positionals.join(' ');
  const found = await withWorkbench(context, { config, fresh }, async (session) => {
    await openServers(context, session, { start: fresh ? 'all' : 'missing', servers: [...config.servers.keys()] });
    return io.library.findTools(session.workbench, query, { toolbox, limit, why: args.has('why') });
  });
  if (args.has('json')) output.json({ schemaVersion: 1, ...found });
  else showFound(output, found);
  return exitCode.ok;
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxLimit) return limit;
  throw new WorkbenchError(
    'WB1901',
    `--limit must be a number from 1 to ${maxLimit}, not '${toPrintable(text, 40)}'.`,
    {
      fix: `See ${toOwnCommand(['search', '--help'])}`,
    },
  );
}

function showFound(output: Output, { tools, weak, explained }: FoundTools): void {
  if (tools.length === 0) {
    output.note('No tool matches. Use other words: verb, object, service.');
    return;
  }
  for (const tool of tools) {
    output.line(toLine(output, tool));
    for (const line of toReasons(tool)) output.line(`          ${output.paint.dim(line)}`);
  }
  if (weak)
    output.note(
      `Weak match: the best tool explains ${Math.round(100 * explained)} % of the query. Use other words: verb, object, service.`,
    );
}

/** A sentence cut shorter than this says nothing. */
const minRoom = 20;

function toLine({ width, paint }: Output, { address, score, description, state }: FoundTool): string {
  const { toolbox, server, name } = address;
  const place = toolbox === server ? server : `${toolbox}/${server}`;
  const head = `${score.toFixed(2).padStart(8)}  ${toPrintable(`${place}.${name}`, 400)}${toStateText(state)}`;
  const room = width - textWidth(head) - 2;
  const sentence = toPrintable(toPlainSentence(description));
  return sentence === '' || room < minRoom ? head : `${head}  ${paint.dim(cutToWidth(sentence, room))}`;
}

function toStateText(state: FoundTool['state']): string {
  return ['ready', 'known', 'sleeping'].includes(state) ? '' : ` [${state}]`;
}

/** `create: create (name, description), new (description, related)`. */
function toReasons({ why = [] }: FoundTool): string[] {
  return why.map(({ word, found }) => {
    const texts = found.map(({ word: own, kind, fields }) => {
      const how = kind === 'same' ? '' : `, ${kind}`;
      return `${toPrintable(own, 60)} (${fields.join(', ')}${how})`;
    });
    return `${toPrintable(word, 60)}: ${texts.length === 0 ? '–' : texts.join('; ')}`;
  });
}
