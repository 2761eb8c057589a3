/**
 * The tool `open_toolbox` of mode `search`: what is in a toolbox, page by page. Few tools are shown with their arguments, many with
 * one line each; schemas are never shown.
 */
import { createHash } from 'node:crypto';
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findObject, findString, type JsonObject } from '../../base/json/json.ts';
import { quoteList } from '../../base/text/error-text.ts';
import { matchesParts } from '../../base/text/match-parts.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { Entry, Toolbox } from '../../toolbox/toolbox.ts';
import { getToolbox } from '../../workbench/calls/resolve.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { errorResult, explainMissing, textResult } from '../calls/tool-result.ts';
import { describeToolbox } from '../model-text/describe-toolbox.ts';
import { parseBrowse } from '../model-text/search-input.ts';
import { refuseUnknownToolbox } from './known-toolbox.ts';
import { toNotShown } from './not-shown.ts';
import { createStateOf } from './server-states.ts';
import { toShortLine, toToolLine } from './tool-line.ts';

/** Up to this many tools are shown with their arguments. */
const maxWithArguments = 20;
const pageSize = 50;

/** `describeMore` gives what is in the toolbox beside tools. */
export async function browseToolbox(
  bench: WorkbenchView,
  call: Call,
  describeMore: (toolbox: string) => JsonObject,
): Promise<CallOutcome> {
  const input = parseBrowse(findObject(call.params, 'arguments') ?? {});
  if ('problem' in input) return errorResult(`${input.problem}. Example: {"toolbox":"${exampleName(bench)}"}`);
  const { toolbox: name, filter, cursor } = input.value;
  const refusal = refuseUnknownToolbox(bench, name);
  if (refusal !== undefined) return refusal;
  const toolbox = await learnToolbox(bench, name, call);
  const missing = toMissing(bench, toolbox);
  if (toolbox.entries.tools.length === 0 && missing.length > 0) return errorResult(missing.join('\n'));
  const entries = filter === undefined ? toolbox.entries.tools : toolbox.entries.tools.filter(buildMatcher(filter));
  const version = toVersion(entries);
  const start = cursor === undefined ? 0 : readCursor(cursor, version);
  if (start === undefined || start > entries.length)
    return errorResult(`The cursor is not valid for this list any more. Call open_toolbox without it.`);
  const page = entries.slice(start, start + pageSize);
  const next = start + pageSize < entries.length ? toCursor(version, start + pageSize) : undefined;
  const stateOf = createStateOf(bench);
  const toLine = entries.length <= maxWithArguments ? toToolLine : toShortLine;
  return textResult(
    [
      toHead(bench, toolbox, { filter, count: entries.length }),
      ...page.map((entry) => toLine(entry, stateOf(entry.key))),
      ...(next === undefined
        ? []
        : [`More: cursor "${next}" (${entries.length - start - pageSize} tools), or a filter.`]),
      ...toMore(describeMore(name)),
      ...missing,
    ].join('\n'),
  );
}

/**
 * Servers whose tools are not known are started and waited for; the others stay as they are. The client is asked for a sign-in only
 * when the toolbox shows no tools without it.
 */
async function learnToolbox(bench: WorkbenchView, name: string, call: Call): Promise<Toolbox> {
  const keys = [...getToolbox(bench.snapshot, name).placements.values()].map(({ key }) => key);
  const unknown = keys.filter((key) => bench.statusOf(key).tools === undefined);
  for (const key of unknown) await bench.afterSignIn(key, call);
  if (unknown.length > 0) bench.startMissing(unknown);
  await bench.settled(unknown);
  const toolbox = getToolbox(bench.snapshot, name);
  const waiting = toolbox.entries.tools.length > 0 ? [] : unknown;
  for (const key of waiting) if (bench.statusOf(key).failure?.code === 'WB1201') await bench.askSignIn(key, call);
  return toolbox;
}

function toHead(
  bench: WorkbenchView,
  { name, description, placements, entries }: Toolbox,
  { filter, count }: { filter: string | undefined; count: number },
): string {
  const about = describeToolbox({ description, placements: placements.values() }, bench).replace(/\s+/g, ' ');
  const all = entries.tools.length;
  const counted = filter === undefined ? `${all} tools` : `${count} of ${all} tools match`;
  return `${name} (${counted})${about === '' || about === name ? '' : `: ${toPrintable(about, 300)}`}`;
}

/** All words of the filter, in any order, in the name or the description; or a glob over the name. */
function buildMatcher(filter: string): (entry: Entry) => boolean {
  const wanted = filter.toLowerCase();
  if (wanted.includes('*')) {
    const parts = wanted.split('*');
    return ({ item }) => matchesParts(item.shown.toLowerCase(), parts);
  }
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  return ({ item }) => {
    const text = `${item.shown} ${findString(item.definition, 'description') ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function toMore(content: JsonObject): string[] {
  return Object.entries(content).map(([kind, list]) => {
    const names = (Array.isArray(list) ? list : []).map((each) => toIdentity(each as JsonObject));
    return `${kind}: ${quoteList(names, (name) => toPrintable(name, 150))}`;
  });
}

function toIdentity(definition: JsonObject): string {
  const found = ['uri', 'uriTemplate', 'name'].map((key) => findString(definition, key));
  return found.find((name) => name !== undefined) ?? '';
}

/** Servers whose tools are not known, each with what to do about it. */
function toMissing(bench: WorkbenchView, { name, placements }: Toolbox): string[] {
  return [...placements.values()].flatMap(({ server, key }) => {
    const status = bench.statusOf(key);
    if (toNotShown(status) === undefined) return [];
    return [`No tools of server '${server}' in toolbox '${name}': ${explainMissing(status)}`];
  });
}

function exampleName({ snapshot }: WorkbenchView): string {
  return [...snapshot.toolboxes.keys()][0] ?? 'name';
}

/** A cursor belongs to one list: when tools come or go, it is refused. */
function toVersion(entries: readonly Entry[]): string {
  const names = entries.map(({ address }) => [address.server, address.name]);
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 8);
}

function toCursor(version: string, start: number): string {
  return `${version}-${start}`;
}

function readCursor(cursor: string, version: string): number | undefined {
  const [, of, start] = /^([0-9a-f]{8})-(\d{1,6})$/.exec(cursor) ?? [];
  return of === version ? Number(start) : undefined;
}
