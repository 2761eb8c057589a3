/** What stands in the configuration file of a world, and how it is changed while the world runs. */
import type { JsonObject } from '../../src/base/json/json.ts';
import type { Random } from './random.ts';
import type { ServerSpec } from './servers/server-spec.ts';

/** How a server is defined; another version is another server. */
export interface Definition {
  readonly version: number;
  readonly idleMs: number | undefined;
  readonly eager: boolean;
}

export interface Settings {
  readonly mode: 'flat' | 'meta';
  /** By name, in the order of the file. */
  readonly servers: ReadonlyMap<string, Definition>;
  /** One that also stands in a toolbox of its own. */
  readonly boxed: string | undefined;
}

function drawDefinition(random: Random): Definition {
  return {
    version: random.int(1_000_000),
    idleMs: random.chance(0.3) ? 20_000 : undefined,
    eager: random.chance(0.2),
  };
}

export function drawSettings(random: Random, specs: readonly ServerSpec[]): Settings {
  return {
    mode: random.pick(['flat', 'flat', 'meta'] as const),
    servers: new Map(specs.map(({ name }) => [name, drawDefinition(random)])),
    boxed: undefined,
  };
}

/** The file after somebody has worked on it; `earlier` are those it was before. */
export function changeSettings(
  random: Random,
  before: Settings,
  { specs, earlier }: { readonly specs: readonly ServerSpec[]; readonly earlier: readonly Settings[] },
): Settings {
  const { servers } = before;
  const names = [...servers.keys()];
  const absent = specs.map(({ name }) => name).filter((name) => !servers.has(name));
  const name = random.pick(names);
  return random.weigh<() => Settings>([
    [3, () => ({ ...before, servers: new Map([...servers]).set(name, drawDefinition(random)) })],
    [names.length > 1 ? 2 : 0, () => without(before, name)],
    [
      absent.length > 0 ? 3 : 0,
      () => ({ ...before, servers: new Map([...servers]).set(random.pick(absent), drawDefinition(random)) }),
    ],
    [1, () => ({ ...before, mode: before.mode === 'flat' ? 'meta' : 'flat' })],
    [1, () => ({ ...before, boxed: before.boxed === undefined ? name : undefined })],
    [0.5, () => ({ ...before, servers: new Map([...servers].reverse()) })],
    [0.5, () => before],
    [1.5, () => random.pick(earlier)],
  ])();
}

function without({ servers, boxed, mode }: Settings, name: string): Settings {
  return {
    mode,
    servers: new Map([...servers].filter(([each]) => each !== name)),
    boxed: boxed === name ? undefined : boxed,
  };
}

export function toFile({ mode, servers, boxed }: Settings, specs: readonly ServerSpec[]): JsonObject {
  const toServer = (name: string): JsonObject => {
    const { version, idleMs, eager } = servers.get(name)!;
    const sharing = specs.find((spec) => spec.name === name)?.sharing;
    return {
      command: name,
      args: [String(version)],
      timeoutMs: 60_000,
      ...(sharing === undefined ? {} : { sharing }),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(eager ? { start: 'eager' } : {}),
    };
  };
  const box = (name: string): JsonObject => ({ description: 'Box', mcpServers: { [name]: toServer(name) } });
  return {
    mode,
    mcpServers: Object.fromEntries([...servers.keys()].map((name) => [name, toServer(name)])),
    ...(boxed === undefined ? {} : { toolboxes: { box: box(boxed) } }),
  };
}
