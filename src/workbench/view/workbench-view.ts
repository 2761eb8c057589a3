/**
 * The part of the workbench that a front needs. The workbench itself is one; `scopeView` makes another that shows only some
 * toolboxes, so that a toolbox that a client may not see does not exist for it, by name or by guess.
 */

import { memoize } from '../../base/async/memoize.ts';
import type { CacheHint } from '../../base/call/cache-hint.ts';
import type { Call, CallOutcome, Client, LogLevel } from '../../base/call/call.ts';
import type { OnUpdated, Watch } from '../../base/call/watch.ts';
import type { Log } from '../../base/text/log.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Config, Mode } from '../../config/model/config.ts';
import { withoutModes } from '../../config/model/without-modes.ts';
import type { Chain } from '../../downstream/connection/chain.ts';
import type { ResultStore } from '../../results/result-store.ts';
import type { Address, Toolbox } from '../../toolbox/toolbox.ts';
import { getToolbox, toUnknownToolbox } from '../calls/resolve.ts';
import type { ServerStatus } from '../reports/server-status.ts';
import type { BenchSearch } from '../search/bench-search.ts';
import type { Snapshot } from './snapshot.ts';
import type { SurfaceChoices } from './surface-choices.ts';

export interface Watcher {
  readonly client: Client;
  readonly listener: OnUpdated;
}

/** The place of a server in a toolbox. */
export type ServerPlace = Pick<Address, 'toolbox' | 'server'>;

/** What a server tells a model about itself. */
export interface Introduction {
  readonly key: string;
  readonly name: string;
  readonly instructions?: string;
}

export interface WorkbenchView {
  readonly log: Log;
  readonly chain: Chain;
  /** What clients are shown in this run. */
  readonly choices: SurfaceChoices;
  readonly config: Config;
  readonly snapshot: Snapshot;
  /** Long results that are held for clients. */
  readonly results: ResultStore;
  /** The tools of all servers, searchable; a narrower view has to leave out what is not in its snapshot. */
  readonly search: BenchSearch;
  /** A client has come. Called before anything is started for it, so that servers can be told what it can do. */
  clientConnected(client: Client): void;
  onChanged(listener: () => void): () => void;
  /** The view of one client, which a server may offer something else than others. */
  of(client: Client): WorkbenchView;
  /** Whether that differs from the view of all clients. */
  differsFor(client: Client): boolean;
  /** For messages that the person who runs the Workbench needs and may not get otherwise. */
  onWarning(listener: (text: string) => void): () => void;
  /** A client wants log messages that do not belong to a call, down to this level. */
  setLogLevel(level: LogLevel, client: Client): void;
  servers(): ServerStatus[];
  /** What all servers say. Their lists are not read for it, so that a client can be greeted before. */
  introductions(): Introduction[];
  statusOf(key: string): ServerStatus;
  /** How long the list of a server stays valid; undefined when the server has no list of this kind. */
  hintOf(key: string, kind: Kind): CacheHint | undefined;
  open(toolbox: string): Promise<Toolbox>;
  /** Sends a call to the tool at an address, or to an item of another kind. */
  forward(address: Address, call: Call, kind?: Kind): Promise<CallOutcome>;
  /** Sends a call unchanged to a server of a toolbox. */
  send(place: ServerPlace, call: Call): Promise<CallOutcome>;
  /** Watches a resource of a server of a toolbox, by its own URI. Throws a WorkbenchError when it cannot get there. */
  watch(place: ServerPlace, uri: string, watcher: Watcher): Promise<Watch>;
  /** For a server that wants a sign-in: throws UrlNeeded when the client of this call can ask its user for it. */
  askSignIn(key: string, call: Call): Promise<void>;
  /** Waits for a sign-in that the user of this call agreed to. */
  afterSignIn(key: string, call: Call): Promise<void>;
  /** Begins to start servers (all, unless keys are given) and does not wait. */
  startAll(keys?: Iterable<string>): void;
  /** Starts known servers that no client has used yet, one after the other, to read their lists anew; then they sleep again. */
  hear(keys: Iterable<string>): Promise<void>;
  /** The same, except for servers whose known tools can be called. */
  startMissing(keys?: Iterable<string>): void;
  /** Waits for those of the servers that are starting now and that nothing is known of, each up to its wait; starts none. */
  listed(keys?: Iterable<string>): Promise<void>;
  /** Waits for those of the servers that are starting now, each up to its wait; starts none. */
  settled(keys?: Iterable<string>): Promise<void>;
}

export interface Scope {
  /** Names of the shown toolboxes; undefined for all. */
  readonly toolboxes?: ReadonlySet<string> | undefined;
  /** The mode of this view, instead of the configured one. */
  readonly mode?: Mode | undefined;
  /** The text between server and tool in mode `flat`, instead of the configured one. */
  readonly separator?: string | undefined;
  /** In mode `flat`, unless the configured one is `auto`. */
  readonly sideBySide?: boolean | undefined;
  /** Results are passed on whole. Wins over the configuration. */
  readonly wholeResults?: true | undefined;
}

export function scopeView(bench: WorkbenchView, scope: Scope): WorkbenchView {
  if (Object.values(scope).every((each) => each === undefined || each === false)) return bench;
  const toWarning = (text: string) => (scope.toolboxes === undefined ? text : warningForSome);
  return scopeBy(bench, { cut: cutter(scope), narrows: scope.toolboxes !== undefined, toWarning });
}

interface Cut {
  cut(whole: Snapshot): Snapshot;
  readonly narrows: boolean;
  toWarning(text: string): string;
}

function scopeBy(bench: WorkbenchView, { cut, narrows, toWarning }: Cut): WorkbenchView {
  return deriveView(bench, {
    snapshot: () => cut(bench.snapshot),
    of: (client) => scopeBy(bench.of(client), { cut, narrows, toWarning }),
    narrows,
    toWarning,
  });
}

export interface Derived extends Pick<WorkbenchView, 'of'> {
  /** The snapshot that is shown instead. */
  snapshot(): Snapshot;
  /** Whether some toolboxes are left out. */
  readonly narrows?: boolean;
  /** Called when the view has changed although its source has not. */
  onChanged?(listener: () => void): () => void;
  /** The part of a warning to all that this view may show. */
  toWarning?(text: string): string;
}

/** Another view of the same workbench: what is not in its snapshot does not exist for its clients. */
export function deriveView(bench: WorkbenchView, derived: Derived): WorkbenchView {
  const { snapshot, of, narrows = false, onChanged, toWarning = (text) => text } = derived;
  const keys = () => snapshot().config.servers.keys();
  const refuse = ({ toolbox }: ServerPlace): Promise<never> | undefined => {
    const shown = snapshot();
    return shown.toolboxes.has(toolbox) ? undefined : Promise.reject(toUnknownToolbox(shown, toolbox));
  };
  return {
    log: bench.log,
    chain: bench.chain,
    choices: bench.choices,
    search: bench.search,
    get config() {
      return snapshot().config;
    },
    get snapshot() {
      return snapshot();
    },
    results: bench.results,
    of,
    differsFor: (client) => bench.differsFor(client),
    clientConnected: (client) => bench.clientConnected(client),
    onChanged(listener) {
      const stops = [bench.onChanged(listener), onChanged?.(listener)];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
    onWarning: (listener) => bench.onWarning((text) => listener(toWarning(text))),
    setLogLevel: (level, client) => bench.setLogLevel(level, client),
    servers: () => bench.servers().filter(({ key }) => hasServer(snapshot().config, key)),
    introductions: () => bench.introductions().filter(({ key }) => hasServer(snapshot().config, key)),
    statusOf: (key) => bench.statusOf(key),
    hintOf: (key, kind) => bench.hintOf(key, kind),
    async open(name) {
      getToolbox(snapshot(), name);
      await bench.open(name);
      return getToolbox(snapshot(), name);
    },
    // A view of all toolboxes needs no check with every call.
    forward: narrows
      ? (address, ...rest) => refuse(address) ?? bench.forward(address, ...rest)
      : bench.forward.bind(bench),
    send: narrows ? (place, call) => refuse(place) ?? bench.send(place, call) : bench.send.bind(bench),
    async watch(place, uri, watcher) {
      getToolbox(snapshot(), place.toolbox);
      return bench.watch(place, uri, watcher);
    },
    askSignIn: (key, call) => bench.askSignIn(key, call),
    afterSignIn: (key, call) => bench.afterSignIn(key, call),
    startAll: (wanted = keys()) => bench.startAll(wanted),
    hear: (wanted) => bench.hear(wanted),
    startMissing: (wanted = keys()) => bench.startMissing(wanted),
    listed: (wanted = keys()) => bench.listed(wanted),
    settled: (wanted = keys()) => bench.settled(wanted),
  };
}

/** A warning may name something that only others may see. */
const warningForSome =
  'Something is wrong with the configuration. The person who runs the Workbench finds out with: mcp-workbench check';

/** The part of each snapshot that is in scope, computed once per snapshot. */
function cutter(scope: Scope): (whole: Snapshot) => Snapshot {
  return memoize((whole: Snapshot) => cutSnapshot(whole, scope));
}

function cutSnapshot(whole: Snapshot, scope: Scope): Snapshot {
  const { config, catalog } = whole;
  const shown = scope.toolboxes;
  const isShown = ([name]: [string, unknown]) => shown === undefined || shown.has(name);
  const definitions = new Map([...config.toolboxes].filter(isShown));
  const keys = new Set([...definitions.values()].flatMap(({ placements }) => placements.map(({ key }) => key)));
  const chosen = scope.mode ?? (scope.sideBySide === true && config.mode !== 'auto' ? 'flat' : undefined);
  let toolboxes: Snapshot['toolboxes'] | undefined;
  return {
    config: {
      ...config,
      mode: chosen ?? config.mode,
      clients: withoutModes(config.clients, chosen),
      separator: scope.separator ?? config.separator,
      ...(scope.wholeResults ? { results: { maxTokens: 0 } } : {}),
      toolboxes: definitions,
      servers: new Map([...config.servers].filter(([key]) => keys.has(key))),
      leftOut: cutLeftOut(config.leftOut, { keys, shown }),
    },
    catalog,
    get toolboxes() {
      toolboxes ??= new Map([...whole.toolboxes].filter(isShown));
      return toolboxes;
    },
  };
}

function hasServer({ servers, leftOut }: Config, key: string): boolean {
  return servers.has(key) || leftOut?.servers.has(key) === true;
}

/** A client with some toolboxes only is not told about mistakes in others. */
function cutLeftOut(
  leftOut: Config['leftOut'],
  { keys, shown }: { readonly keys: ReadonlySet<string>; readonly shown: ReadonlySet<string> | undefined },
): Config['leftOut'] {
  if (leftOut === undefined || shown === undefined) return leftOut;
  return {
    ...leftOut,
    servers: new Map([...leftOut.servers].filter(([key]) => keys.has(key))),
    toolboxes: new Map([...leftOut.toolboxes].filter(([name]) => shown.has(name))),
  };
}
