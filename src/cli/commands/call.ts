/** `call`: calls one tool from the command line, on the server that already runs or on one that is started for this call. */

import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { untilAborted } from '../../base/async/until-aborted.ts';
import { findList, findMember, findString, isObject } from '../../base/json/json.ts';
import {
  type Address,
  type Config,
  type Entry,
  exitCode,
  type Json,
  type JsonObject,
  toPrintable,
  WorkbenchError,
} from '../../index.ts';
import { describeBinary, findBinary, openSaveFolder, type SaveFolder } from '../call/binary-content.ts';
import { parseArgumentObject, parsePairs, toArguments } from '../call/call-arguments.ts';
import { type CallRunner, withCallRunner } from '../call/call-runner.ts';
import { findAddresses, resolveToolName } from '../call/call-target.ts';
import { findUnknownArguments } from '../call/check-arguments.ts';
import { hideIn, toFailureJson } from '../output/failure.ts';
import { type Output, toJsonText } from '../output/output.ts';
import { hasFailed } from '../output/server-report.ts';
import { toCallNames } from '../run/select-config.ts';
import { type Context, loadCommandConfig } from '../run/session.ts';
import type { View } from '../run/view.ts';

export async function call(context: Context): Promise<number> {
  const { io, args, output } = context;
  const [target = '', ...words] = args.positionals;
  const toCallArguments = await readArguments(context, words);
  const timeoutMs = findTimeout(args.text('timeout'));
  const folder = args.text('save');
  const saved = folder === undefined ? undefined : openSaveFolder(resolve(io.cwd, folder), new Date());
  const config = loadCommandConfig(context);
  const addresses = findAddresses(config, target);

  const result = await withCallRunner(context, config, async (runner) => {
    const { address, inputSchema } = await findTool(runner, config, { target, addresses });
    const given = toCallArguments(inputSchema);
    const tool = toPrintable(`${address.server}.${address.name}`, 200);
    for (const note of findUnknownArguments({ tool, inputSchema, given })) output.note(note);
    const signal = timeoutMs === undefined ? io.signal : AbortSignal.any([io.signal, createDeadline(timeoutMs)]);
    const answer = runner.call(address, {
      arguments: given,
      signal,
      onProgress: (progress) => {
        if (io.tty.stderr) runner.progress.show(runner.hide(toProgressText(progress)));
      },
    });
    const answered = await untilAborted(signal, answer);
    // A result is printed as it is; a failure is reported.
    return findMember(answered, 'isError') === true ? hideIn(answered, runner.hide) : answered;
  });
  if (args.has('json')) {
    output.json(result);
    for (const line of saved === undefined ? [] : saveAll(saved, result)) output.note(line);
  } else showResult(output, result, saved);
  if (findMember(result, 'isError') !== true) return exitCode.ok;
  const failure = new WorkbenchError('WB1805', 'The tool reports a failure.');
  if (args.has('json')) io.stderr.write(`${toFailureJson(failure)}\n`);
  else output.note(`${failure.message.replace(/\.$/, '')} (${failure.code}).`);
  return exitCode.toolFailed;
}

/** Parses the arguments before anything is started; the values wait for the schema of the tool. */
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
  throw new WorkbenchError('WB1901', `--timeout: "${given}" is not a number of milliseconds.`, {
    fix: 'Write whole milliseconds, for example --timeout 30000.',
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

interface Wanted {
  readonly target: string;
  /** Empty when the target can only be the name of a tool. */
  readonly addresses: readonly Address[];
}

interface Found {
  readonly address: Address;
  readonly inputSchema: JsonObject;
}

/** The first address that exists; when none does, the call itself gives the best error for the first one. */
async function findTool(runner: CallRunner, config: Config, { target, addresses }: Wanted): Promise<Found> {
  if (addresses.length === 0) {
    // Finding a tool by its name alone needs all tools; servers with a known list are not started for it.
    const view = await runner.view({ start: 'missing', servers: [...config.servers.keys()] });
    return findTool(runner, config, { target, addresses: [resolveToolName(config, entriesOf(view), target)] });
  }
  const servers = keysOf(config, addresses);
  // The server is needed in any case, and its current schema counts.
  const view = await runner.view({ start: 'all', servers });
  // A server that has just failed is not tried again.
  const needed = view.servers.filter(({ key }) => servers.includes(key));
  const failed = needed.every(hasFailed) ? needed[0]?.failure : undefined;
  if (failed !== undefined) throw new WorkbenchError(failed.code, failed.message, { fix: failed.fix });
  for (const address of addresses) {
    const entry = entriesOf(view).find((each) => isAt(each, address));
    const inputSchema = entry === undefined ? undefined : findMember(entry.tool, 'inputSchema');
    if (entry !== undefined) return { address, inputSchema: isObject(inputSchema) ? inputSchema : {} };
  }
  const left = addresses.find((address) => view.filteredOut.some((each) => isSame(each, address)));
  if (left !== undefined) throw leftOut(left);
  const changed = findChanged(view, addresses);
  if (changed !== undefined) throw changed;
  const [address = { toolbox: '', server: '', name: '' }] = addresses;
  return { address, inputSchema: {} };
}

/** The user of the command line owns the configuration; a client is only told that there is no such tool. */
function leftOut({ toolbox, server, name }: Address): WorkbenchError {
  return new WorkbenchError(
    'WB1803',
    `The tool '${name}' of server '${server}' is left out by the "toolFilters" of the server (toolbox '${toolbox}').`,
    {
      fix: `Add "${name}" to "toolFilters" of the server, or remove the filter that leaves it out.`,
    },
  );
}

/** The same for a tool that has another name, or is hidden. */
function findChanged({ reshaped, hiddenTools }: View, addresses: readonly Address[]): WorkbenchError | undefined {
  for (const wanted of addresses) {
    const what = `The tool '${toPrintable(wanted.name, 80)}' of server '${wanted.server}'`;
    const renamed = reshaped.find(({ address, own }) => isSame({ ...address, name: own }, wanted));
    const path = renamed?.changes.find(({ what: changed }) => changed === 'name')?.path;
    if (renamed !== undefined)
      return new WorkbenchError(
        'WB1803',
        `${what} is called '${toPrintable(renamed.address.name, 80)}' here (${path}).`,
        {
          fix: `Call ${renamed.address.server}.${renamed.address.name}, or remove that line from the configuration.`,
        },
      );
    const hidden = hiddenTools.find(({ address }) => isSame(address, wanted));
    if (hidden !== undefined)
      return new WorkbenchError('WB1803', `${what} is hidden by the configuration (${hidden.path}).`, {
        fix: 'Remove that line from the configuration.',
      });
  }
  return undefined;
}

function isSame(one: Address, other: Address): boolean {
  return one.toolbox === other.toolbox && one.server === other.server && one.name === other.name;
}

function entriesOf({ toolboxes }: View): Entry[] {
  return toolboxes.flatMap(({ entries }) => entries);
}

function keysOf({ toolboxes }: Config, addresses: readonly Address[]): string[] {
  const keys = addresses.flatMap(({ toolbox, server }) =>
    (toolboxes.get(toolbox)?.placements ?? [])
      .filter((each) => toCallNames(each).includes(server))
      .map(({ key }) => key),
  );
  return [...new Set(keys)];
}

/** By its own name, or by its shown name. */
function isAt({ address, tool }: Entry, wanted: Address): boolean {
  if (address.toolbox !== wanted.toolbox || address.server !== wanted.server) return false;
  return address.name === wanted.name || findString(tool, 'name') === wanted.name;
}

function toProgressText({ progress, total, message }: { progress: number; total?: number; message?: string }): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${toPrintable(message)}`;
}

/** Prints text as text, binary content as a line or a file, everything else as JSON. */
function showResult(output: Output, result: JsonObject, folder: SaveFolder | undefined): void {
  const content = findList(result, 'content');
  for (const block of content) {
    const text = findBlockText(block);
    const binary = findBinary(block);
    if (text !== undefined) output.text(text);
    else if (binary === undefined) output.json(block);
    else if (folder === undefined) output.line(`[${describeBinary(binary)}; --save DIR writes it to a file]`);
    else output.line(`[${describeBinary(binary)}: ${folder.save(binary)}]`);
  }
  const structured = findMember(result, 'structuredContent');
  if (content.length === 0 && structured !== undefined) output.line(toJsonText(structured));
}

function saveAll(folder: SaveFolder, result: JsonObject): string[] {
  return findList(result, 'content').flatMap((block) => {
    const binary = findBinary(block);
    return binary === undefined ? [] : [`saved ${describeBinary(binary)}: ${folder.save(binary)}`];
  });
}

/** The text of a text block, or of a resource with text. */
function findBlockText(block: Json): string | undefined {
  if (!isObject(block)) return undefined;
  const resource = findMember(block, 'resource');
  if (findMember(block, 'type') === 'resource') return isObject(resource) ? findString(resource, 'text') : undefined;
  return findMember(block, 'type') === 'text' ? findString(block, 'text') : undefined;
}
