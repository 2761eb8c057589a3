/** The tool `search_tools`: the best tools for each query, one line each. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findObject, type JsonObject } from '../../base/json/json.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { findClientByName } from '../../clients/find-client.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { errorResult, textResult } from '../calls/tool-result.ts';
import { parseSearch } from '../model-text/search-input.ts';
import { refuseUnknownToolbox } from './known-toolbox.ts';
import { type FindsTools, findNotShown, type NotShown, tellNotShown } from './not-shown.ts';
import { createStateOf, type StateOf } from './server-states.ts';
import { findShownTools, type ShownTools } from './shown-tools.ts';
import { type DocsOptions, toToolDocs } from './tool-docs.ts';
import { toToolLine } from './tool-line.ts';

/** Below this share of the query's weight, the best hit explains too little of it. */
const weakBelow = 0.35;
/** The parameters of a clear winner come with the answer, as far as they are short. */
const winnerDocs: DocsOptions = { maxTokens: 100, about: false };
const maxToolboxes = 3;
/** How far the nearest toolboxes are looked for. */
const maxLooked = 20;

interface Match {
  readonly entry: Entry;
  readonly score: number;
}

interface Found {
  readonly query: string;
  readonly matches: readonly Match[];
  readonly weak: boolean;
  /** The best match was shown for an earlier query. */
  readonly isAbove: boolean;
  /** Its parameters are shown. */
  readonly winner: Entry | undefined;
  readonly nearest: readonly string[];
  readonly notShown: readonly NotShown[];
}

export async function searchTools(bench: WorkbenchView, call: Call): Promise<CallOutcome> {
  const input = parseSearch(findObject(call.params, 'arguments') ?? {});
  if ('problem' in input) return errorResult(`${input.problem}. Example: {"queries":["slack post message"]}`);
  const { queries, toolbox, limit } = input.value;
  const refusal = toolbox === undefined ? undefined : refuseUnknownToolbox(bench, toolbox);
  if (refusal !== undefined) return refusal;
  await bench.listed(findShownTools(bench.snapshot, toolbox).keys);
  const search = await bench.search.ready(queries);
  const shown = findShownTools(bench.snapshot, toolbox);
  const seen = new Set<Entry>();
  const results = queries.map((query) => findTools(bench, search, { query, shown, limit, seen }));
  const text = toText(createStateOf(bench), results);
  // A client that hides the text would leave its model without arguments and advice.
  const isHidden = findClientByName(call.client.name)?.hidesText === true;
  return textResult(text, { ...(isHidden ? { text } : {}), results: results.map(toStructured) });
}

interface Asking {
  readonly query: string;
  readonly shown: ShownTools;
  readonly limit: number;
  /** The tools that were shown for earlier queries. */
  readonly seen: Set<Entry>;
}

function findTools(bench: WorkbenchView, search: FindsTools, { query, shown, limit, seen }: Asking): Found {
  const answer = search.search(query, {
    limit: Math.max(limit + seen.size, maxLooked),
    ...(shown.accepts && { accepts: shown.accepts }),
  });
  const all = answer.hits.flatMap(({ key, name, score }) => {
    const entry = shown.find(key, name);
    return entry === undefined ? [] : [{ entry, score }];
  });
  const isAbove = all[0] !== undefined && seen.has(all[0].entry);
  const matches = all.filter(({ entry }) => !seen.has(entry)).slice(0, limit);
  for (const { entry } of matches) seen.add(entry);
  const weak = all.length === 0 || answer.explained < weakBelow;
  const hits = answer.hits.slice(0, limit);
  return {
    query,
    matches,
    weak,
    isAbove,
    winner: answer.clear && !weak && !isAbove ? matches[0]?.entry : undefined,
    nearest: weak ? [...new Set(all.map(({ entry }) => entry.address.toolbox))].slice(0, maxToolboxes) : [],
    notShown: findNotShown(bench, search, { query, shown, hits, isFull: hits.length === limit, weak }),
  };
}

function toStructured({ query, matches, weak, notShown }: Found): JsonObject {
  return {
    query,
    matches: matches.map(({ entry: { address, item }, score }) => ({
      toolbox: address.toolbox,
      server: address.server,
      name: item.shown,
      score: Number(score.toPrecision(4)),
    })),
    ...(weak ? { weak } : {}),
    ...(notShown.length === 0 ? {} : { notShown: notShown.map((each) => ({ ...each })) }),
  };
}

function toText(stateOf: StateOf, results: readonly Found[]): string {
  const isGrouped = results.length > 1;
  const groups = results.map((found) => {
    const head = isGrouped ? [`"${toPrintable(found.query, 80)}"${found.isAbove ? ' (best match above)' : ''}:`] : [];
    return [...head, ...toLines(stateOf, found)].join('\n');
  });
  const told = tellNotShown(results.flatMap(({ notShown }) => notShown));
  return [groups.join(isGrouped ? '\n\n' : '\n'), ...(told === undefined ? [] : [told])].join('\n');
}

function toLines(stateOf: StateOf, { matches, weak, isAbove, winner, nearest }: Found): string[] {
  const lines = matches.map(({ entry }) => toToolLine(entry, stateOf(entry.key)));
  if (lines.length === 0 && !isAbove) return ['No tool matches. Use other words: verb + object + service.'];
  if (weak) lines.unshift(`Weak match; use other words or open_toolbox. Nearest toolboxes: ${nearest.join(', ')}.`);
  const docs = winner === undefined ? '' : toToolDocs(winner, winnerDocs);
  // Arguments without comments are in the line already.
  if (/ \/\/ |: \{/.test(docs)) lines.push(docs);
  return lines;
}
