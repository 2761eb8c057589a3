/**
 * What has to happen when one configuration takes the place of another. Pure. A server is the same when it is reached in the same
 * way: it is kept, whatever place or key it has now. One that is reached in another way is another server.
 */
import type { Config } from '../config/config.ts';
import { identify } from '../config/definitions.ts';

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
  /** Nothing that anybody could see differs. */
  readonly same: boolean;
}

const settingNames = [
  'mode',
  'separator',
  'maxNameLength',
  'safeNames',
  'startWaitMs',
  'pageSize',
  'keepCatalog',
  'toolboxes',
  'http',
  'auth',
  'limits',
] as const satisfies readonly (keyof Config)[];

export type Setting = (typeof settingNames)[number];

/** What a running service keeps as it was when it was started. */
export const fixedSettings: ReadonlySet<Setting> = new Set<Setting>(['http', 'auth', 'limits', 'keepCatalog']);

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
  const settings = settingNames.filter((name) => toText(before[name]) !== toText(after[name]));
  const same =
    start.length + stop.length + settings.length === 0 &&
    toPlaces(before) === toPlaces(after) &&
    toMistakes(before) === toMistakes(after);
  const { servers = new Map(), toolboxes = new Map() } = after.leftOut ?? {};
  const leftOut = [...new Set([...[...servers.values()].map(({ name }) => name), ...toolboxes.keys()])];
  return { keep, start, stop, leftOut, settings, same };
}

function toText(value: Config[Setting]): string {
  return JSON.stringify(value instanceof Map ? [...value] : value) ?? '';
}

/** Under which keys servers stand, in which order, and how they are printed. */
function toPlaces({ servers }: Config): string {
  return JSON.stringify([...servers].map(([key, { shown }]) => [key, shown]));
}

/** What is told of what is wrong, with its places. */
function toMistakes({ leftOut }: Config): string {
  return JSON.stringify([leftOut?.error.problems, [...(leftOut?.servers.keys() ?? [])]]);
}
