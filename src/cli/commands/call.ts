/** `call`: one tool called from the command line. Only the server that answers is started. */
import type { Readable } from 'node:stream';
import {
  type Address,
  type Entry,
  exitCode,
  type Json,
  type JsonObject,
  toPrintable,
  WorkbenchError,
} from '../../index.ts';
import { parseArgumentObject, parsePairs, toArguments } from '../call-arguments.ts';
import { resolveTarget } from '../call-target.ts';
import { findList, findMember, findText, isObject } from '../json-view.ts';
import { withPlaces } from '../narrow.ts';
import { type Output, toJsonText } from '../output.ts';
import { hasFailed } from '../server-report.ts';
import { type Context, loadCommandConfig, openServers, type Session, untilAborted, withWorkbench } from '../session.ts';

export async function call(context: Context): Promise<number> {
  const { io, args, output } = context;
  const [target = '', ...words] = args.positionals;
  const toCallArguments = await readArguments(context, words);
  const timeoutMs = findTimeout(args.text('timeout'));
  const config = loadCommandConfig(context);
  const addresses = resolveTarget(config, target);
  const needed = withPlaces(config, (place) =>
    addresses.some(({ toolbox, server }) => toolbox === place.toolbox && server === place.server),
  );

  const result = await withWorkbench(context, needed, async (session) => {
    await openServers(context, session);
    const { address, inputSchema } = findTool(session, addresses);
    const signal = timeoutMs === undefined ? io.signal : AbortSignal.any([io.signal, createDeadline(timeoutMs)]);
    const answer = session.workbench.call(address, {
      arguments: toCallArguments(inputSchema),
      signal,
      onProgress: (progress) => {
        if (io.tty.stderr) session.progress.show(toProgressText(progress));
      },
    });
    return untilAborted(signal, answer);
  });
  if (args.has('json')) output.json(result);
  else showResult(output, result);
  if (findMember(result, 'isError') !== true) return exitCode.ok;
  output.note('The tool reports a failure (WB1805).');
  return exitCode.toolFailed;
}

/** Reads what was given before anything is started; the values wait for the schema of the tool. */
async function readArguments(
  { io, args }: Context,
  words: readonly string[],
): Promise<(schema: JsonObject) => JsonObject> {
  const given = args.text('args');
  if (given === undefined) {
    const pairs = parsePairs(words, io.cwd);
    return (schema) => toArguments(pairs, schema);
  }
  if (words.length > 0) {
    throw new WorkbenchError('WB1901', 'Arguments are given both with --args and as key=value.', {
      fix: 'Use one of the two.',
    });
  }
  const value = parseArgumentObject(given === '-' ? await untilAborted(io.signal, readAll(io.stdin)) : given);
  return () => value;
}

function findTimeout(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const timeoutMs = Number(given);
  if (Number.isInteger(timeoutMs) && timeoutMs > 0) return timeoutMs;
  throw new WorkbenchError('WB1901', `--timeout cannot be "${given}".`, {
    fix: 'Write milliseconds, for example --timeout 30000.',
  });
}

/** Aborts with the error to report. */
function createDeadline(timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new WorkbenchError('WB1011', `No answer within ${timeoutMs} ms.`));
  setTimeout(giveUp, timeoutMs).unref();
  return controller.signal;
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** The first address that exists; when none does, the workbench itself says best what is wrong with the first. */
function findTool(
  { workbench, hide }: Session,
  addresses: readonly Address[],
): { address: Address; inputSchema: JsonObject } {
  const entries = workbench.toolboxes().flatMap((toolbox) => toolbox.entries);
  for (const address of addresses) {
    const entry = entries.find((each) => isAt(each, address));
    const inputSchema = entry === undefined ? undefined : findMember(entry.tool, 'inputSchema');
    if (entry !== undefined) return { address, inputSchema: isObject(inputSchema) ? inputSchema : {} };
  }
  // A server that has just failed is not tried again.
  const failed = workbench.servers().find(hasFailed)?.failure;
  if (failed !== undefined) throw new WorkbenchError(failed.code, hide(failed.message), { fix: failed.fix });
  const left = addresses.find((each) => workbench.filters.leaveOut(each));
  if (left !== undefined) throw leftOut(left);
  const [address = { toolbox: '', server: '', name: '' }] = addresses;
  return { address, inputSchema: {} };
}

/** Whoever calls from here owns the configuration; a client is only told that there is no such tool. */
function leftOut({ toolbox, server, name }: Address): WorkbenchError {
  return new WorkbenchError(
    'WB1803',
    `The tool '${name}' of server '${server}' is left out by its "toolFilters" (toolbox '${toolbox}').`,
    {
      fix: `Add "${name}" to "toolFilters" of the server, or remove what leaves it out.`,
    },
  );
}

/** By its own name, or by the one it is shown under. */
function isAt({ address, tool }: Entry, wanted: Address): boolean {
  if (address.toolbox !== wanted.toolbox || address.server !== wanted.server) return false;
  return address.name === wanted.name || findText(tool, 'name') === wanted.name;
}

function toProgressText({ progress, total, message }: { progress: number; total?: number; message?: string }): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${toPrintable(message)}`;
}

/** Text as text, everything else as JSON. */
function showResult(output: Output, result: JsonObject): void {
  const content = findList(result, 'content');
  for (const block of content) {
    const text = findBlockText(block);
    if (text === undefined) output.json(block);
    else output.text(text);
  }
  const structured = findMember(result, 'structuredContent');
  if (content.length === 0 && structured !== undefined) output.line(toJsonText(structured));
}

function findBlockText(block: Json): string | undefined {
  return isObject(block) && findMember(block, 'type') === 'text' ? findText(block, 'text') : undefined;
}
