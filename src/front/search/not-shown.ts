/**
 * Why a tool that matches a query is not in its answer. A tool that a filter leaves out is counted and not named: what the owner of
 * the configuration has hidden stays hidden.
 */
import { toPrintable } from '../../base/text/printable.ts';
import type { ToolHit, ToolSearch } from '../../search/tool-search.ts';
import { buildFilter } from '../../toolbox/filter.ts';
import { filtersOf, type Toolbox } from '../../toolbox/toolbox.ts';
import type { ServerStatus } from '../../workbench/reports/server-status.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { ShownTools } from './shown-tools.ts';

export type FindsTools = Pick<ToolSearch, 'search'>;

/** Left out by `toolFilters` or hidden by `tools`; switched off; waits for a person; cannot be started; not heard yet. */
export type NotShownReason = 'filtered' | 'disabled' | 'sign-in' | 'failed' | 'starting';

export interface NotShown {
  readonly toolbox: string;
  readonly server: string;
  readonly reason: NotShownReason;
  /** How many tools match, where that is known. */
  readonly tools?: number;
}

export interface SearchAsked {
  readonly query: string;
  readonly shown: ShownTools;
  /** What the query has found. */
  readonly hits: readonly ToolHit[];
  /** The answer is full: what is left out must be at least as good as its last hit. */
  readonly isFull: boolean;
  readonly weak: boolean;
}

const maxTold = 6;
/** A tool that is left out is told when it is about as good as what is shown. */
const nearBest = 0.7;

export function findNotShown(bench: WorkbenchView, search: FindsTools, asked: SearchAsked): NotShown[] {
  const found = [...findFiltered(bench, search, asked), ...findSilent(bench, asked)];
  return found.slice(0, maxTold);
}

function findFiltered(bench: WorkbenchView, search: FindsTools, asked: SearchAsked): NotShown[] {
  const { query, shown, hits, isFull } = asked;
  if (!shown.filtered) return [];
  const keys = new Set(shown.keys);
  const best = hits[0]?.score ?? 0;
  const least = isFull ? Math.max(hits.at(-1)?.score ?? 0, best * nearBest) : best * nearBest;
  const left = search.search(query, {
    limit: maxTold,
    accepts: (key, name) => keys.has(key) && shown.find(key, name) === undefined,
  });
  const counts = new Map<string, number>();
  for (const { key, name, score } of left.hits)
    if (score >= least && isFilteredOut(bench, key, name)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].flatMap(([key, tools]) => {
    const place = findPlace(bench, key);
    return place === undefined ? [] : [{ ...place, reason: 'filtered' as const, tools }];
  });
}

/** Whether the filters of every place of a server leave a tool out. */
function isFilteredOut({ snapshot }: WorkbenchView, key: string, name: string): boolean {
  const item = snapshot.catalog.get(key)?.tools.find((each) => each.name === name);
  const places = [...snapshot.toolboxes.values()].flatMap(({ placements }) => [...placements.values()]);
  return (
    item !== undefined &&
    places.every((place) => place.key !== key || !buildFilter(filtersOf('tools', place))(item.shown))
  );
}

/** Servers whose tools are not known: told when the query names them, or when they are about to be known. */
function findSilent(bench: WorkbenchView, { query, shown, weak }: SearchAsked): NotShown[] {
  return shown.silent.flatMap((key): NotShown[] => {
    const status = bench.statusOf(key);
    const place = findPlace(bench, key);
    const reason = toNotShown(status);
    if (place === undefined || reason === undefined) return [];
    const isTold = reason === 'starting' || weak || mentions(query, [place.server, place.toolbox, status.name]);
    return isTold ? [{ ...place, reason }] : [];
  });
}

/** Why no tool of a server is shown; undefined for a server whose tools are known. */
export function toNotShown({ state, failure, tools }: ServerStatus): NotShownReason | undefined {
  if (state === 'disabled') return 'disabled';
  if (tools !== undefined) return undefined;
  if (state === 'needs-sign-in' || failure?.code === 'WB1201') return 'sign-in';
  return failure === undefined ? 'starting' : 'failed';
}

/** The first place of a server in the view. */
function findPlace({ snapshot }: WorkbenchView, key: string): Pick<NotShown, 'toolbox' | 'server'> | undefined {
  for (const toolbox of snapshot.toolboxes.values()) {
    const server = findServer(toolbox, key);
    if (server !== undefined) return { toolbox: toolbox.name, server };
  }
  return undefined;
}

function findServer({ placements }: Toolbox, key: string): string | undefined {
  for (const placement of placements.values()) if (placement.key === key) return placement.server;
  return undefined;
}

const shortestName = 3;

function mentions(query: string, names: readonly string[]): boolean {
  const said = toLetters(query);
  return names.map(toLetters).some((name) => name.length >= shortestName && said.includes(name));
}

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

const reasonText: Readonly<Record<NotShownReason, string>> = {
  filtered: 'left out in the configuration',
  disabled: 'disabled in the configuration',
  'sign-in': 'needs sign-in',
  failed: 'cannot be started',
  starting: 'still starting, search again soon',
};

/** One line for all queries; each place and reason once. */
export function tellNotShown(all: readonly NotShown[]): string | undefined {
  const told = new Map<string, string>();
  for (const { toolbox, server, reason, tools } of all) {
    const place = toPrintable(toolbox === server ? server : `${toolbox}/${server}`, 100);
    const count = tools === undefined ? '' : `${tools} ${tools === 1 ? 'tool' : 'tools'} `;
    told.set(`${place} ${reason}`, `${place} (${count}${reasonText[reason]})`);
  }
  const texts = [...told.values()];
  if (texts.length === 0) return undefined;
  const more = texts.length > maxTold ? ` and ${texts.length - maxTold} more` : '';
  return `Not shown: ${texts.slice(0, maxTold).join(', ')}${more}.`;
}
