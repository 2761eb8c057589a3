/** Servers and their tools at one moment, in any Workbench: what `list`, `tools` and `check` show. */
import { defined } from '../../base/json/defined.ts';
import type { ViewQuestion } from '../../daemon/handshake-messages.ts';
import {
  type Address,
  type ClientsReport,
  type Config,
  type HiddenTool,
  type ReshapedTool,
  reportClients,
  type ServerStatus,
  type ShapeProblem,
  type Toolbox,
  toPrintable,
  type Workbench,
} from '../../index.ts';
import { hideIn } from '../output/failure.ts';
import { toServerReport } from '../output/server-report.ts';
import { toCallNames } from './select-config.ts';

export type { ViewQuestion };

export interface ViewedServer extends ServerStatus {
  /** The last lines that it has written on stderr, where it already runs. */
  readonly stderr?: readonly string[];
}

export interface View {
  readonly servers: readonly ViewedServer[];
  readonly toolboxes: readonly Toolbox[];
  /** Messages about public names that more than one tool claims. */
  readonly collisions: readonly string[];
  /** Messages about filters that match nothing. */
  readonly idleFilters: readonly string[];
  /** Tools that filters leave out. */
  readonly filteredOut: readonly Address[];
  /** Tools that the configuration changes, with what was changed and where. */
  readonly reshaped: readonly ReshapedTool[];
  readonly hiddenTools: readonly HiddenTool[];
  /** What the configuration says of tools and cannot be done. */
  readonly shapeProblems: readonly ShapeProblem[];
  /** What each client is shown; undefined where all are shown the same. */
  readonly clients?: ClientsReport | undefined;
}

type Viewed = Pick<Workbench, 'toolboxes' | 'collisions' | 'filters' | 'shapes'> & Parameters<typeof reportClients>[0];

/** With `hide`, no text of a server shows a secret it was given. */
export function takeView(workbench: Viewed, hide: (text: string) => string): View {
  return {
    servers: workbench.servers().map((server) => toServerReport(server, hide)),
    toolboxes: workbench.toolboxes().map((toolbox) => toShown(toolbox, hide)),
    collisions: workbench.collisions().map(hide),
    idleFilters: workbench.filters.idle().map(hide),
    filteredOut: workbench.filters.leftOut(),
    reshaped: workbench.shapes.reshaped(),
    hiddenTools: workbench.shapes.hidden(),
    shapeProblems: workbench.shapes.problems().map(({ code, message }) => ({ code, message: hide(message) })),
    ...defined({ clients: reportClients(workbench) }),
  };
}

/** The descriptions of tools may contain secrets that the server was given; names stay, because a tool is called by its name. */
function toShown(toolbox: Toolbox, hide: (text: string) => string): Toolbox {
  const entries = toolbox.entries.map((entry) => {
    const { name, ...rest } = entry.tool;
    return { ...entry, tool: { ...defined({ name }), ...hideIn(rest, hide) } };
  });
  return { ...toolbox, entries };
}

const lastLines = 20;
const maxLineLength = 300;

/** The same for servers that have been running: their stderr is available nowhere else. */
export function takeRunningView(workbench: Viewed & Pick<Workbench, 'stderrOf'>, hide: (text: string) => string): View {
  const view = takeView(workbench, hide);
  const withStderr = (server: ServerStatus): ViewedServer => {
    const lines = workbench.stderrOf(server.key).slice(-lastLines);
    return lines.length === 0 ? server : { ...server, stderr: lines.map((line) => toPrintable(line, maxLineLength)) };
  };
  return { ...view, servers: view.servers.map(withStderr) };
}

/** Only the parts that a narrower configuration still has. */
export function narrowView(view: View, config: Config): View {
  const { servers, toolboxes, reshaped, hiddenTools, ...findings } = view;
  const { leftOut } = config;
  const isKept = ({ address }: { readonly address: Address }) =>
    config.toolboxes.get(address.toolbox)?.placements.some((each) => toCallNames(each).includes(address.server)) ===
    true;
  return {
    ...findings,
    reshaped: reshaped.filter(isKept),
    hiddenTools: hiddenTools.filter(isKept),
    servers: servers.filter(({ key }) => config.servers.has(key) || leftOut?.servers.has(key)),
    toolboxes: toolboxes.flatMap((toolbox) => {
      const names = config.toolboxes.get(toolbox.name)?.placements.flatMap(toCallNames);
      if (names === undefined) return [];
      const entries = toolbox.entries.filter(({ address }) => names.includes(address.server));
      return [{ ...toolbox, servers: toolbox.servers.filter((name) => names.includes(name)), entries }];
    }),
  };
}

/** How long a list may take once its server has started. */
const listingMs = 30_000;

/** A client must not wait long for a list; a person who asks for the state of the servers waits until each has answered. */
export async function startServers(
  workbench: Pick<Workbench, 'config' | 'startAll' | 'startMissing' | 'settled'>,
  { start, servers }: ViewQuestion,
): Promise<void> {
  if (start === 'none') return;
  if (start === 'all') workbench.startAll(servers);
  else workbench.startMissing(servers);
  const { config } = workbench;
  const starts = [...config.servers.values()].map(({ startTimeoutMs }) => startTimeoutMs);
  await workbench.settled(servers, Math.max(config.startWaitMs, ...starts) + listingMs);
}
