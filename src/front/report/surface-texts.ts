/** What a model reads in each mode, as texts: at its start, and each time it looks for a tool. For reports; nothing is started. */
import type { JsonObject } from '../../base/json/json.ts';
import type { FixedMode } from '../../base/mode.ts';
import { toModelText } from '../../base/text/model-text.ts';
import { buildDynamicNames, buildFlatNames } from '../../toolbox/name-table.ts';
import type { Entry, Toolbox } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { listedTool } from '../lists/listed-tool.ts';
import { createPinnedTools } from '../lists/pinned-tools.ts';
import { describeToolbox, withDescriptions } from '../model-text/describe-toolbox.ts';
import {
  dynamicInstructions,
  flatInstructions,
  metaInstructions,
  quoteInstructions,
  withServerInstructions,
} from '../model-text/instructions.ts';
import { openToolboxTool, useToolTool } from '../model-text/meta-tools.ts';
import { searchInstructions } from '../model-text/search-instructions.ts';
import { searchModeTools } from '../model-text/search-tools.ts';
import { searchFor } from '../search/search-tools.ts';
import { publicTool } from '../uris/public-uris.ts';

export interface SurfaceTexts {
  readonly mode: FixedMode;
  /** The clients that are shown this, each with the reason; undefined for a mode by itself. */
  readonly clients?: readonly { readonly id: string; readonly why: string }[];
  readonly instructions: string;
  /** The first list of tools: one text per tool. */
  readonly list: readonly SurfaceText[];
  /** What is read later: toolboxes that are opened, or searches. */
  readonly later: readonly SurfaceText[];
}

export interface SurfaceText {
  readonly text: string;
  /** The toolbox and server that it is about; a tool of ours has neither. */
  readonly toolbox?: string;
  readonly server?: string;
}

/** Each server is searched for so many of its tools. */
const searchesPerServer = 2;
const maxSearches = 60;
const searchLimit = 5;

export async function collectTexts(bench: WorkbenchView, mode: FixedMode): Promise<SurfaceTexts> {
  const ours = (tools: readonly JsonObject[]) => tools.map((tool) => ({ text: toModelText(tool) }));
  const { config } = bench;
  switch (mode) {
    case 'flat':
      return { mode, instructions: readFlatInstructions(bench), list: listFlat(bench), later: [] };
    case 'dynamic':
      return {
        mode,
        instructions: dynamicInstructions(withDescriptions(bench)),
        list: ours([openToolboxTool(config)]),
        later: toolboxesOf(bench).map((toolbox) => toAdded(bench, toolbox)),
      };
    case 'search':
      return {
        mode,
        instructions: searchInstructions(bench),
        list: [...ours(searchModeTools(config)), ...listPinned(bench)],
        later: await collectSearches(bench),
      };
    default:
      return {
        mode,
        instructions: metaInstructions(withDescriptions(bench)),
        list: ours([openToolboxTool(config), useToolTool]),
        later: toolboxesOf(bench).map((toolbox) => toOpened(bench, toolbox)),
      };
  }
}

function toolboxesOf({ snapshot }: WorkbenchView): Toolbox[] {
  return [...snapshot.toolboxes.values()].filter(({ entries }) => entries.tools.length > 0);
}

function readFlatInstructions(bench: WorkbenchView): string {
  return withServerInstructions(flatInstructions(bench.config), quoteInstructions(bench.introductions()));
}

function listFlat({ config, snapshot }: WorkbenchView): SurfaceText[] {
  const { entries } = buildFlatNames(config, snapshot.toolboxes.values(), 'tools');
  return [...entries].map(([name, entry]) => ({
    ...placeOf(entry),
    text: toModelText({ ...listedTool({ config }, entry), name }),
  }));
}

function listPinned(bench: WorkbenchView): SurfaceText[] {
  const pins = createPinnedTools(bench, () => searchModeTools(bench.config).map(({ name }) => String(name)));
  const places = [...pins.entries().values()].map(placeOf);
  return pins.definitions().map((definition, at) => ({ ...places[at], text: toModelText(definition) }));
}

function placeOf({ address: { toolbox, server } }: Entry) {
  return { toolbox, server };
}

/** The answer of `open_toolbox` when all its servers are there. */
function toOpened(bench: WorkbenchView, toolbox: Toolbox, nameOf = ({ item }: Entry) => item.shown): SurfaceText {
  const placements = [...toolbox.placements.values()];
  const said = quoteInstructions(
    placements.map(({ server, key }) => ({ name: server, instructions: bench.statusOf(key).instructions })),
  );
  const content = {
    toolbox: toolbox.name,
    description: describeToolbox({ ...toolbox, placements }, bench),
    servers_connected: placements.length,
    ...(Object.keys(said).length === 0 ? {} : { server_instructions: said }),
    tools: toolbox.entries.tools.map((entry) => ({
      ...publicTool(bench, entry),
      name: nameOf(entry),
      ...placeOf(entry),
    })),
  };
  return { toolbox: toolbox.name, text: JSON.stringify(content) };
}

/** The same in mode `dynamic`, where the tools stand in the list afterwards, too. */
function toAdded(bench: WorkbenchView, toolbox: Toolbox): SurfaceText {
  const { entries } = buildDynamicNames(bench.config, [toolbox], { kind: 'tools' });
  const names = new Map([...entries].map(([name, entry]) => [entry, name]));
  const { text } = toOpened(bench, toolbox, (entry) => names.get(entry) ?? entry.item.shown);
  const added = [...entries].map(([name, entry]) => toModelText({ ...publicTool(bench, entry), name }));
  return { toolbox: toolbox.name, text: [text, ...added].join('\n') };
}

/** Searches for tools that are there, in the words of their names. */
async function collectSearches(bench: WorkbenchView): Promise<SurfaceText[]> {
  const byServer = new Map<string, Entry[]>();
  for (const { entries } of toolboxesOf(bench))
    for (const entry of entries.tools) byServer.set(entry.key, [...(byServer.get(entry.key) ?? []), entry]);
  const wanted = [...byServer.values()].flatMap((entries) => pickSome(entries, searchesPerServer));
  const texts: SurfaceText[] = [];
  for (const entry of pickSome(wanted, maxSearches)) {
    const { text } = await searchFor(bench, { queries: [toQuery(entry)], toolbox: undefined, limit: searchLimit });
    texts.push({ ...placeOf(entry), text });
  }
  return texts;
}

/** Evenly out of the whole list. */
function pickSome<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T);
}

const maxQueryLength = 200;

function toQuery({ address: { server }, item }: Entry): string {
  const words = `${server} ${item.shown}`.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.map((word) => word.toLowerCase()))].join(' ').trim().slice(0, maxQueryLength);
}
