/**
 * What a front needs of the workbench. The workbench itself is one; `scopeBench` gives another that shows only some of its
 * toolboxes, so that what a client may not see does not exist for it, by name or by guess.
 */

import type { CacheHint } from '../base/cache-hint.ts';
import type { Call, CallOutcome, Client, LogLevel } from '../base/call.ts';
import type { Log } from '../base/log.ts';
import { memoize } from '../base/memoize.ts';
import type { OnUpdated, Watch } from '../base/watch.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Config, Mode } from '../config/config.ts';
import type { Chain } from '../downstream/chain.ts';
import type { Address, Toolbox } from '../toolbox/toolbox.ts';
import { getToolbox, toUnknownToolbox } from './resolve.ts';
import type { ServerStatus } from './server-status.ts';
import type { Snapshot } from './snapshot.ts';

export interface Watcher {
  readonly client: Client;
  readonly listener: OnUpdated;
}

/** Where a server stands. */
export type Place = Pick<Address, 'toolbox' | 'server'>;

export interface Bench {
  readonly log: Log;
  readonly chain: Chain;
  readonly config: Config;
  readonly snapshot: Snapshot;
  /** A client has come. Said before anything is started for it, so that servers can be told what it can do. */
  meet(client: Client): void;
  onChanged(listener: () => void): () => void;
  /** The same for one client, which may be shown what others are not: what a server offers to it alone. */
  of(client: Client): Bench;
  /** Whether that differs from what all are shown. */
  differsFor(client: Client): boolean;
  /** What the person who runs the Workbench has to know, and may not learn otherwise. */
  onWarning(listener: (text: string) => void): () => void;
  /** A client wants log messages that belong to no call, down to this level. */
  setLogLevel(level: LogLevel, client: Client): void;
  servers(): ServerStatus[];
  statusOf(key: string): ServerStatus;
  /** How long the list of a server stays as it is; undefined when it can have none of this kind. */
  hintOf(key: string, kind: Kind): CacheHint | undefined;
  open(toolbox: string): Promise<Toolbox>;
  /** Sends a call to the tool at an address, or to an item of another kind. */
  forward(address: Address, call: Call, kind?: Kind): Promise<CallOutcome>;
  /** Sends a call unchanged to a server of a toolbox. */
  send(place: Place, call: Call): Promise<CallOutcome>;
  /** Watches a resource of a server of a toolbox, by its own URI. Throws a WorkbenchError when it cannot get there. */
  watch(place: Place, uri: string, watcher: Watcher): Promise<Watch>;
  /** For a server that wants a sign-in: throws UrlNeeded when the client of this call can ask its user for it. */
  askSignIn(key: string, call: Call): Promise<void>;
  /** Waits for a sign-in that the user of this call agreed to. */
  afterSignIn(key: string, call: Call): Promise<void>;
  /** Begins to start servers (all, unless keys are given) and does not wait. */
  startAll(keys?: Iterable<string>): void;
  /** Starts known servers that no client has used yet, one after the other, to read their lists anew; then they sleep again. */
  hear(keys: Iterable<string>): Promise<void>;
  /** The same, but leaves alone those whose tools can be called as they are known. */
  startMissing(keys?: Iterable<string>): void;
  /** Waits for those of the servers that are starting now and that nothing is known of, each up to its wait; starts none. */
  listed(keys?: Iterable<string>): Promise<void>;
  /** Waits for those of the servers that are starting now, each up to its wait; starts none. */
  settled(keys?: Iterable<string>): Promise<void>;
}

export interface Scope {
  /** Names of the toolboxes that are shown; undefined for all. */
  readonly toolboxes?: ReadonlySet<string> | undefined;
  /** Shown in this mode instead of the configured one. */
  readonly mode?: Mode | undefined;
  /** What stands between server and tool in mode `flat`, instead of what is configured. */
  readonly separator?: string | undefined;
}

export function scopeBench(bench: Bench, scope: Scope): Bench {
  if (Object.values(scope).every((each) => each === undefined)) return bench;
  const toWarning = (text: string) => (scope.toolboxes === undefined ? text : warningForSome);
  return scopeBy(bench, { cut: cutter(scope), narrows: scope.toolboxes !== undefined, toWarning });
}

interface Cut {
  cut(whole: Snapshot): Snapshot;
  readonly narrows: boolean;
  toWarning(text: string): string;
}

function scopeBy(bench: Bench, { cut, narrows, toWarning }: Cut): Bench {
  return deriveBench(bench, {
    snapshot: () => cut(bench.snapshot),
    of: (client) => scopeBy(bench.of(client), { cut, narrows, toWarning }),
    narrows,
    toWarning,
  });
}

export interface Derived extends Pick<Bench, 'of'> {
  /** What is shown instead. */
  snapshot(): Snapshot;
  /** Some toolboxes are left out. */
  readonly narrows?: boolean;
  /** Told when that has changed although what it is derived from has not. */
  onChanged?(listener: () => void): () => void;
  /** What is told of a warning to all. */
  toWarning?(text: string): string;
}

/** Another view of the same workbench: what is not in its snapshot does not exist for its clients. */
export function deriveBench(bench: Bench, derived: Derived): Bench {
  const { snapshot, of, narrows = false, onChanged, toWarning = (text) => text } = derived;
  const keys = () => snapshot().config.servers.keys();
  const refuse = ({ toolbox }: Place): Promise<never> | undefined => {
    const shown = snapshot();
    return shown.toolboxes.has(toolbox) ? undefined : Promise.reject(toUnknownToolbox(shown, toolbox));
  };
  return {
    log: bench.log,
    chain: bench.chain,
    get config() {
      return snapshot().config;
    },
    get snapshot() {
      return snapshot();
    },
    of,
    differsFor: (client) => bench.differsFor(client),
    meet: (client) => bench.meet(client),
    onChanged(listener) {
      const stops = [bench.onChanged(listener), onChanged?.(listener)];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
    onWarning: (listener) => bench.onWarning((text) => listener(toWarning(text))),
    setLogLevel: (level, client) => bench.setLogLevel(level, client),
    servers: () => bench.servers().filter(({ key }) => hasServer(snapshot().config, key)),
    statusOf: (key) => bench.statusOf(key),
    hintOf: (key, kind) => bench.hintOf(key, kind),
    async open(name) {
      getToolbox(snapshot(), name);
      await bench.open(name);
      return getToolbox(snapshot(), name);
    },
    // Where all toolboxes are shown there is nothing to look at with every call.
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

/** A warning may name what only others may see. */
const warningForSome =
  'Something is wrong with the configuration. Whoever runs the Workbench finds out with: mcp-workbench check';

/** The part of each snapshot that is in scope, computed once a snapshot. */
function cutter(scope: Scope): (whole: Snapshot) => Snapshot {
  return memoize((whole: Snapshot) => cutSnapshot(whole, scope));
}

function cutSnapshot(whole: Snapshot, scope: Scope): Snapshot {
  const { config, catalog } = whole;
  const shown = scope.toolboxes;
  const isShown = ([name]: [string, unknown]) => shown === undefined || shown.has(name);
  const definitions = new Map([...config.toolboxes].filter(isShown));
  const keys = new Set([...definitions.values()].flatMap(({ placements }) => placements.map(({ key }) => key)));
  let toolboxes: Snapshot['toolboxes'] | undefined;
  return {
    config: {
      ...config,
      mode: scope.mode ?? config.mode,
      separator: scope.separator ?? config.separator,
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

/** A client that is shown some toolboxes only is not told what is wrong with others. */
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
