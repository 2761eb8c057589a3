/** What tools cost: figures for scripts, tables for people. */

import { toModelText } from '../../base/text/model-text.ts';
import type { SurfaceTexts, Toolbox } from '../../index.ts';
import { toPrintable } from '../../index.ts';
import { toTable } from './table.ts';

export interface TokenReport {
  /** The mode in use. */
  readonly mode: string;
  readonly modes: readonly ModeCost[];
  readonly clients: readonly ClientCost[];
  readonly servers: readonly ServerCost[];
  readonly toolboxes: readonly ToolboxCost[];
}

export interface ModeCost {
  readonly mode: string;
  /** What a model reads before its first call. */
  readonly start: number;
  readonly list: number;
  readonly instructions: number;
  /** What it reads each time it looks for a tool; null where it sees all tools from the start. */
  readonly later: {
    readonly what: 'search' | 'open';
    readonly median: number;
    readonly most: number;
    readonly of: number;
  } | null;
}

export interface ClientCost extends ModeCost {
  readonly client: string;
  /** Why it is shown this mode. */
  readonly why: string;
}

export interface ServerCost {
  readonly server: string;
  readonly tools: number;
  /** Its tools in mode flat. */
  readonly flat: number;
  /** A search for one of its tools; null when none was made. */
  readonly search: number | null;
}

export interface ToolboxCost {
  readonly toolbox: string;
  readonly tools: number;
  readonly flat: number;
  /** Opening it in mode meta. */
  readonly open: number | null;
  readonly search: number | null;
}

export interface ReportSources {
  readonly mode: string;
  readonly modes: readonly SurfaceTexts[];
  readonly clients: readonly SurfaceTexts[];
  readonly toolboxes: readonly Toolbox[];
  count(text: string): number;
}

export function toTokenReport({ mode, modes, clients, toolboxes, count }: ReportSources): TokenReport {
  const surfaceOf = (wanted: string) => modes.find((surface) => surface.mode === wanted);
  const searches = (surfaceOf('search')?.later ?? []).map((each) => ({ ...each, tokens: count(each.text) }));
  const opened = (surfaceOf('meta')?.later ?? []).map((each) => ({ ...each, tokens: count(each.text) }));
  const listed = (surfaceOf('flat')?.list ?? []).map((each) => ({ ...each, tokens: count(each.text) }));
  const medianOf = (of: readonly { tokens: number }[]) =>
    of.length === 0 ? null : median(of.map(({ tokens }) => tokens));
  const servers = [...new Set(listed.flatMap(({ server }) => server ?? []))];
  return {
    mode,
    modes: modes.map((surface) => toModeCost(surface, count)),
    clients: clients.flatMap((surface) => {
      const cost = toModeCost(surface, count);
      return (surface.clients ?? []).map(({ id, why }) => ({ client: id, ...cost, why }));
    }),
    servers: servers.map((server) => {
      const own = listed.filter((each) => each.server === server);
      const found = searches.filter((each) => each.server === server);
      return { server, tools: own.length, flat: sum(own.map(({ tokens }) => tokens)), search: medianOf(found) };
    }),
    toolboxes: toolboxes.map(({ name, entries }) => ({
      toolbox: name,
      tools: entries.length,
      flat: sum(entries.map(({ tool }) => count(toModelText(tool)))),
      open: medianOf(opened.filter((each) => each.toolbox === name)),
      search: medianOf(searches.filter((each) => each.toolbox === name)),
    })),
  };
}

function toModeCost({ mode, instructions, list, later }: SurfaceTexts, count: (text: string) => number): ModeCost {
  const listTokens = sum(list.map(({ text }) => count(text)));
  const instructionTokens = count(instructions);
  const counts = later.map(({ text }) => count(text));
  return {
    mode,
    start: listTokens + instructionTokens,
    list: listTokens,
    instructions: instructionTokens,
    later:
      counts.length === 0
        ? null
        : {
            what: mode === 'search' ? 'search' : 'open',
            median: median(counts),
            most: Math.max(...counts),
            of: counts.length,
          },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

export interface TokenLines {
  readonly width: number;
  bold(text: string): string;
  /** A count as it is shown. */
  show(tokens: number): string;
}

export function toTokenLines(report: TokenReport, { width, bold, show }: TokenLines): string[] {
  const orNone = (tokens: number | null) => (tokens === null ? '–' : show(tokens));
  const flat = report.modes.find(({ mode }) => mode === 'flat')?.start ?? 0;
  const modes = toTable({
    width,
    columns: [
      { title: 'MODE' },
      { title: 'START', align: 'right' },
      { title: 'OF FLAT', align: 'right' },
      { title: 'LIST', align: 'right' },
      { title: 'INSTRUCTIONS', align: 'right' },
      { title: 'THEN', flexible: true },
    ],
    rows: report.modes.map(({ mode, start, list, instructions, later }) => ({
      mark: mode === report.mode ? '*' : ' ',
      cells: [mode, show(start), toShare(start, flat), show(list), show(instructions), toLaterText(later, show)],
    })),
  });
  const clients = toTable({
    width,
    columns: [
      { title: 'CLIENT', flexible: true },
      { title: 'MODE' },
      { title: 'START', align: 'right' },
      { title: 'OF FLAT', align: 'right' },
      { title: 'WHY', flexible: true },
    ],
    rows: report.clients.map(({ client, mode, start, why }) => ({
      mark: ' ',
      cells: [toPrintable(client), mode, show(start), toShare(start, flat), toPrintable(why)],
    })),
  });
  const servers = toTable({
    width,
    columns: [
      { title: 'SERVER', flexible: true },
      { title: 'TOOLS', align: 'right' },
      { title: 'FLAT', align: 'right' },
      { title: 'A SEARCH', align: 'right' },
    ],
    rows: [...report.servers]
      .sort((a, b) => b.flat - a.flat || (a.server < b.server ? -1 : 1))
      .map(({ server, tools, flat: tokens, search }) => ({
        mark: ' ',
        cells: [toPrintable(server), String(tools), show(tokens), orNone(search)],
      })),
  });
  const toolboxes = toTable({
    width,
    columns: [
      { title: 'TOOLBOX', flexible: true },
      { title: 'TOOLS', align: 'right' },
      { title: 'FLAT', align: 'right' },
      { title: 'OPENED', align: 'right' },
      { title: 'A SEARCH', align: 'right' },
    ],
    rows: report.toolboxes.map(({ toolbox, tools, flat: tokens, open, search }) => ({
      mark: ' ',
      cells: [toPrintable(toolbox), String(tools), show(tokens), orNone(open), orNone(search)],
    })),
  });
  return [
    bold('Tokens at the start of a conversation, and each time a model looks for a tool (* the mode in use)'),
    ...modes,
    ...(report.clients.length === 0 ? [] : ['', bold('By client'), ...clients]),
    ...(report.servers.length === 0 ? [] : ['', bold('By server'), ...servers]),
    ...(report.toolboxes.length === 0 ? [] : ['', bold('By toolbox'), ...toolboxes]),
  ];
}

function toShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = (100 * part) / whole;
  return `${share >= 10 || share === 0 ? Math.round(share) : share.toFixed(1)} %`;
}

function toLaterText(later: ModeCost['later'], show: (tokens: number) => string): string {
  if (later === null) return 'nothing: every tool is in the list';
  const what = later.what === 'search' ? 'a search of 5 tools' : 'opening a toolbox';
  return `${what} ${show(later.median)}, at most ${show(later.most)}`;
}
