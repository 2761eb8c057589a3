/**
 * Decides what has to happen when one configuration replaces another. Pure. A server is the same when it is reached in the same
 * way: it is kept, even if its place or key has changed. A server that is reached in another way is another server.
 */
import type { Config } from '../../config/model/config.ts';
import { identify } from '../../config/model/definitions.ts';

export interface ReloadPlan {
  /** New key to old key. */
  readonly keep: ReadonlyMap<string, string>;
  /** New keys, in the order of the file. */
  readonly start: readonly string[];
  /** Old keys. */
  readonly stop: readonly string[];
  /** Names of the servers and toolboxes that are left out now. */
  readonly leftOut: readonly string[];
  /** Names of the other settings that differ. */
  readonly settings: readonly Setting[];
  /** Nothing that a client or a person could see differs. */
  readonly same: boolean;
}

/** What a configuration says beside its settings. */
type Beside = 'fitsNames' | 'path' | 'servers' | 'plain' | 'secrets' | 'variables' | 'notes' | 'leftOut';

export type Setting = Exclude<keyof Config, Beside>;

/** A `live` setting takes effect with the reload; a running service keeps a `fixed` one as it was when it was started. */
const settings: Readonly<Record<Setting, 'live' | 'fixed'>> = {
  mode: 'live',
  separator: 'live',
  maxNameLength: 'live',
  safeNames: 'live',
  schemas: 'live',
  pinned: 'live',
  clients: 'live',
  startWaitMs: 'live',
  pageSize: 'live',
  keepCatalog: 'fixed',
  toolboxes: 'live',
  http: 'fixed',
  auth: 'fixed',
  search: 'live',
  limits: 'fixed',
  results: 'live',
};
const settingNames = Object.keys(settings) as Setting[];

/** Whether a member of a configuration stays as it is until the Workbench is started again. */
export function isFixed(name: string): boolean {
  return Object.hasOwn(settings, name) && settings[name as Setting] === 'fixed';
}

export function planReload(before: Config, after: Config): ReloadPlan {
  const old = new Map([...before.servers.values()].map((definition) => [identify(definition), definition.key]));
  const keep = new Map<string, string>();
  const start: string[] = [];
  for (const definition of after.servers.values()) {
    const known = old.get(identify(definition));
    if (known === undefined) start.push(definition.key);
    else keep.set(definition.key, known);
  }
  const kept = new Set(keep.values());
  const stop = [...before.servers.keys()].filter((key) => !kept.has(key));
  const changed = settingNames.filter((name) => toText(before[name]) !== toText(after[name]));
  const same =
    start.length + stop.length + changed.length === 0 &&
    toPlaces(before) === toPlaces(after) &&
    toMistakes(before) === toMistakes(after);
  const { servers = new Map(), toolboxes = new Map() } = after.leftOut ?? {};
  const leftOut = [...new Set([...[...servers.values()].map(({ name }) => name), ...toolboxes.keys()])];
  return { keep, start, stop, leftOut, settings: changed, same };
}

function toText(value: Config[Setting]): string {
  return JSON.stringify(value instanceof Map ? [...value] : value) ?? '';
}

/** The keys of the servers in their order, and how each is printed. */
function toPlaces({ servers }: Config): string {
  return JSON.stringify([...servers].map(([key, { shown }]) => [key, shown]));
}

/** The mistakes as they are reported, with their places. */
function toMistakes({ leftOut }: Config): string {
  return JSON.stringify([leftOut?.error.problems, [...(leftOut?.servers.keys() ?? [])]]);
}
