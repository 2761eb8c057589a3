/**
 * Holds reloads to their promises. Every definition that is read from a file is a generation of its server; the transport that the
 * Workbench starts tells which one it starts. Those in force are left alone, those that are gone may end their calls and end.
 */
import type { Clock } from '../../../src/base/async/clock.ts';
import type { Config, ServerDefinition } from '../../../src/config/model/config.ts';
import type { ServerStatus } from '../../../src/workbench/reports/server-status.ts';
import type { Judge } from '../checks/judge.ts';
import type { Attempt, Generation, Watched } from '../checks/records.ts';
import type { Settings } from '../settings.ts';
import { isShared, type ServerSpec } from './server-spec.ts';

/** How long the Workbench lets calls at a server that is gone go on. */
const drainMs = 8_000;
/** How long it waits for the one that takes the place of a server in use. */
const startWaitMs = 10_000;

/** A process, as far as it matters here. */
export interface Member extends Watched {
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
  /** Since when it is to be put in force, and the servers that were in use by then. */
  preparedAt: number;
  inUse: ReadonlySet<string>;
}

/** What is looked at in the Workbench. */
interface Shown {
  readonly config: Config;
  servers(): readonly ServerStatus[];
}

export class Generations {
  readonly #judge: Judge;
  readonly #clock: Clock;
  readonly #byTransport = new Map<unknown, Generation>();
  readonly #editions = new Map<Config['servers'], Edition>();
  readonly #members: readonly Member[];
  #timers: (() => void)[] = [];
  #servers: Config['servers'] | undefined;
  #current: ReadonlyMap<string, Generation> = new Map();
  #reloads = 0;

  constructor(judge: Judge, clock: Clock, members: readonly Member[]) {
    this.#judge = judge;
    this.#clock = clock;
    this.#members = members;
  }

  find(name: string): Generation | undefined {
    return this.#current.get(name);
  }

  /** A file was read. */
  read({ servers }: Config, settings: Settings): void {
    const rest = { state: 'next', goneAt: 0, goneWith: 0 } as const;
    const generations = [...servers.values()].map(({ name, transport }): Generation => {
      const generation: Generation = { ...settings.servers.get(name)!, ...rest, name, startTimes: [] };
      this.#byTransport.set(transport, generation);
      return generation;
    });
    this.#editions.set(servers, { settings, generations, preparedAt: 0, inUse: new Set() });
  }

  /** The Workbench begins to put it in force. */
  prepare({ servers }: Config, shown: Shown): void {
    // One whose process has gone is about to fail.
    const isStarting = (key: string) =>
      this.#members.some((each) => each.running && each.generation === this.#current.get(key));
    const inUse = shown
      .servers()
      .filter(({ key, state, tools }) => tools !== undefined || (state === 'starting' && isStarting(key)));
    const edition = this.#editions.get(servers)!;
    edition.preparedAt = this.#clock.now();
    edition.inUse = new Set(inUse.map(({ key }) => key));
  }

  /** The Workbench says that what it shows has changed: whether other servers are in force now. */
  look(shown: Shown): boolean {
    const { servers } = shown.config;
    const edition = this.#editions.get(servers);
    if (servers === this.#servers || edition === undefined) return false;
    this.#servers = servers;
    const before = this.#current;
    const kept = (next: Generation) => {
      const old = before.get(next.name);
      return old?.version === next.version ? old : undefined;
    };
    this.#current = new Map(edition.generations.map((next) => [next.name, kept(next) ?? next]));
    for (const next of edition.generations) next.state = kept(next) === undefined ? 'current' : 'spare';
    for (const { id, generation } of this.#members)
      if (generation.state === 'spare') this.#judge.fail(`${id} was started although its server is kept`);
    if (before.size > 0) this.#reloaded(before, edition, shown);
    return true;
  }

  /** A call has reached the Workbench. */
  received(attempt: Attempt): void {
    attempt.reloads = this.#reloads;
  }

  /** A call has arrived at a server. */
  arrived({ id, generation }: Watched, { number, reloads }: Attempt): void {
    const { state, goneWith } = generation;
    if (state === 'next') this.#judge.fail(`request ${number} reached ${id}, which is not in force yet`);
    if (state === 'gone' && reloads >= goneWith)
      this.#judge.fail(`request ${number} reached ${id}, which was not in force any more when it was made`);
  }

  /** The Workbench starts a process. */
  starts(spec: ServerSpec, transport: ServerDefinition['transport']): Generation {
    const generation = this.#byTransport.get(transport);
    if (generation === undefined) throw new Error(`${spec.name} is started in a way that stands in no file`);
    generation.startTimes.push(this.#clock.now());
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

  /** Nothing of what is gone is left. */
  checkRest(): void {
    for (const { id, running, generation } of this.#members)
      if (running && generation.state !== 'current') this.#judge.fail(`${id} still runs and is not in force any more`);
  }

  close(): void {
    for (const stop of this.#timers) stop();
  }

  #reloaded(before: ReadonlyMap<string, Generation>, { settings, preparedAt, inUse }: Edition, shown: Shown): void {
    this.#reloads++;
    this.#judge.tally.reloads++;
    const gone = [...before.values()].filter((old) => this.#current.get(old.name) !== old);
    const say = (list: Iterable<Generation>) => [...list].map(({ name, version }) => `${name}/${version}`).join(' ');
    this.#judge.note('world', `in force: ${settings.mode} ${say(this.#current.values())}; gone: ${say(gone)}`);
    for (const old of gone) this.#leave(old);
    const waited = this.#clock.now() >= preparedAt + startWaitMs;
    for (const { key, state } of shown.servers()) {
      const generation = this.#current.get(key)!;
      const isHeir = inUse.has(key) && before.get(key) !== generation;
      const isUnready = state === 'configured' || (state === 'starting' && generation.startTimes.length < 2);
      if (isHeir && isUnready && !waited) this.#judge.fail(`${key} was replaced by one that is ${state}`);
    }
  }

  #leave(generation: Generation): void {
    generation.state = 'gone';
    generation.goneAt = this.#clock.now();
    generation.goneWith = this.#reloads;
    const own = () => this.#members.filter((each) => each.running && each.generation === generation);
    if (own().some(({ open }) => open.size > 0)) this.#judge.tally.drains++;
    const check = () => {
      for (const { id, stopping } of own())
        if (!stopping) this.#judge.fail(`${id} was not told to end, ${drainMs} ms after its definition has gone`);
    };
    this.#timers.push(this.#clock.after(drainMs + 1, check));
  }
}
