/**
 * Holds reloads to their promises. Every definition that is read from a file is a generation of its server; the transport that the
 * Workbench starts tells which one it starts. Those in force are left alone, those that are gone may end their calls and end.
 */
import type { Clock } from '../../src/base/clock.ts';
import type { Config, ServerDefinition } from '../../src/config/config.ts';
import type { Judge } from './judge.ts';
import type { ServerSpec } from './records.ts';
import type { Definition, Settings } from './settings.ts';

/** How long the Workbench lets calls at a server that is gone go on. */
const drainMs = 8_000;

/** `next`: read, and perhaps never in force. `spare`: the one before it was kept instead. */
export interface Generation extends Definition {
  readonly name: string;
  state: 'next' | 'current' | 'gone' | 'spare';
  goneAt: number;
}

/** A process, as far as it matters here. */
export interface Member {
  readonly id: string;
  readonly spec: ServerSpec;
  readonly generation: Generation;
  readonly running: boolean;
  /** The Workbench has told it to end. */
  readonly stopping: boolean;
  /** Calls it was sent and that the Workbench still waits for. */
  readonly open: ReadonlySet<unknown>;
  /** When a call came or ended last; undefined before the first. */
  readonly usedAt: number | undefined;
}

interface Edition {
  readonly settings: Settings;
  readonly generations: readonly Generation[];
}

export class Generations {
  readonly #judge: Judge;
  readonly #clock: Clock;
  readonly #byTransport = new Map<unknown, Generation>();
  readonly #editions = new Map<Config['servers'], Edition>();
  readonly #members: readonly Member[];
  #timers: (() => void)[] = [];
  #servers: Config['servers'] | undefined;
  #settings: Settings | undefined;
  #current: ReadonlyMap<string, Generation> = new Map();
  #first: ReadonlyMap<string, Generation> | undefined;

  constructor(judge: Judge, clock: Clock, members: readonly Member[]) {
    this.#judge = judge;
    this.#clock = clock;
    this.#members = members;
  }

  get settings(): Settings {
    return this.#settings!;
  }

  find(name: string): Generation | undefined {
    return this.#current.get(name);
  }

  /** The server is still defined as in the beginning. */
  isFirst(name: string): boolean {
    return this.#first?.get(name) !== undefined && this.#first.get(name) === this.#current.get(name);
  }

  /** A file was read. */
  read({ servers }: Config, settings: Settings): void {
    const generations = [...servers.values()].map(({ name, transport }): Generation => {
      const generation: Generation = { ...settings.servers.get(name)!, name, state: 'next', goneAt: 0 };
      this.#byTransport.set(transport, generation);
      return generation;
    });
    this.#editions.set(servers, { settings, generations });
  }

  /** The Workbench says that what it shows has changed. */
  look({ servers }: Config): void {
    const edition = this.#editions.get(servers);
    if (servers === this.#servers || edition === undefined) return;
    this.#servers = servers;
    this.#settings = edition.settings;
    const before = this.#current;
    const kept = (next: Generation) => {
      const old = before.get(next.name);
      return old?.version === next.version ? old : undefined;
    };
    this.#current = new Map(edition.generations.map((next) => [next.name, kept(next) ?? next]));
    this.#first ??= this.#current;
    for (const next of edition.generations) next.state = kept(next) === undefined ? 'current' : 'spare';
    const gone = [...before.values()].filter((old) => this.#current.get(old.name) !== old);
    for (const old of gone) this.#leave(old);
    for (const { id, generation } of this.#members)
      if (generation.state === 'spare') this.#judge.fail(`${id} was started although its server is kept`);
    if (before.size === 0) return;
    const say = (list: Iterable<Generation>) => [...list].map(({ name, version }) => `${name}/${version}`).join(' ');
    this.#judge.note('world', `in force: ${edition.settings.mode} ${say(this.#current.values())}; gone: ${say(gone)}`);
    this.#judge.tally.reloads++;
  }

  /** The Workbench starts a process. */
  starts(spec: ServerSpec, transport: ServerDefinition['transport']): Generation {
    const generation = this.#byTransport.get(transport);
    if (generation === undefined) throw new Error(`${spec.name} is started in a way that stands in no file`);
    if (generation.state === 'spare')
      this.#judge.fail(`${spec.name}/${generation.version} is started although it is kept`);
    const twin = this.#members.find((each) => each.running && each.generation === generation);
    if (twin !== undefined && isShared(spec)) this.#judge.fail(`${spec.name} is started although ${twin.id} runs`);
    return generation;
  }

  /** The Workbench tells a process that runs to end. */
  stops({ id, spec, generation, open, usedAt }: Member): void {
    if (this.#judge.closing) return;
    const now = this.#clock.now();
    const { state, goneAt, idleMs } = generation;
    if (state === 'current' && open.size > 0)
      this.#judge.fail(`${id} is ended with ${open.size} calls under way, and its definition is in force`);
    else if (state === 'current' && usedAt !== undefined && isShared(spec)) {
      if (idleMs === undefined || now - usedAt < idleMs)
        this.#judge.fail(`${id} is ended without a reason: its definition is in force`);
    } else if (state === 'gone' && open.size > 0) {
      this.#judge.tally.cutCalls++;
      if (now < goneAt + drainMs) this.#judge.fail(`${id} is ended although ${open.size} calls may still end`);
    }
  }

  /** Nothing of what is gone is left, and what is wanted is there. */
  checkRest(): void {
    for (const { id, running, generation } of this.#members)
      if (running && generation.state !== 'current') this.#judge.fail(`${id} still runs and is not in force any more`);
  }

  close(): void {
    for (const stop of this.#timers) stop();
  }

  #leave(generation: Generation): void {
    generation.state = 'gone';
    generation.goneAt = this.#clock.now();
    const own = () => this.#members.filter((each) => each.running && each.generation === generation);
    if (own().some(({ open }) => open.size > 0)) this.#judge.tally.drains++;
    const check = () => {
      for (const { id, stopping } of own())
        if (!stopping) this.#judge.fail(`${id} was not told to end, ${drainMs} ms after its definition has gone`);
    };
    this.#timers.push(this.#clock.after(drainMs + 1, check));
  }
}

/** All calls to the server go to one process. */
function isShared({ sharing, era }: ServerSpec): boolean {
  return sharing === 'shared' || (sharing === undefined && era === 'modern');
}
