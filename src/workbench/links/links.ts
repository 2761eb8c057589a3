/**
 * The links to the servers of the configuration in force, by key, and the change from one set of links to the next. Events of a link
 * count only while the link is in the set.
 */
import type { Client, LogLevel } from '../../base/call/call.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { defined } from '../../base/json/defined.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Listing } from '../../catalog/listing.ts';
import type { Config, ServerDefinition } from '../../config/model/config.ts';
import type { Link } from '../../downstream/link/link.ts';
import type { LinkStatus } from '../../downstream/link/link-status.ts';
import type { ReloadPlan } from '../reload/plan-reload.ts';
import { isAvailable } from '../reports/server-status.ts';
import type { Introduction } from '../view/workbench-view.ts';
import type { LinkMaker } from './link-maker.ts';

export interface LinksOptions {
  readonly maker: LinkMaker;
  readonly config: Config;
  onListingChanged(key: string, listing: Listing): void;
  onStatus(key: string): void;
  /** The list of a server for one client may have changed. */
  onOwnListingChanged(key: string, client: Client): void;
}

/** Links that are not in force yet, by the key they will have. */
export type NextLinks = ReadonlyMap<string, Link>;

/** How long calls under way at a removed server may take to end. */
const drainMs = 8_000;
/** How long it takes to notice a missing command, or a port without a listener. */
const firstSignMs = 250;

export class Links {
  readonly #options: LinksOptions;
  /** Links that are not in force yet, or not any more. */
  readonly #aside = new Set<Link>();
  /** Undefined until a link is needed: a client can be answered before. */
  #made: ReadonlyMap<string, Link> | undefined;
  /** The servers to start, as far as they are missing, when there are links. */
  readonly #wanted = new Set<string>();
  #closed = false;
  #leftOut: Config['leftOut'];
  #eagerStarted = false;
  #logWish: readonly [LogLevel, Client] | undefined;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#leftOut = options.config.leftOut;
  }

  get #current(): ReadonlyMap<string, Link> {
    if (this.#made === undefined) {
      const { config } = this.#options;
      this.#made = this.#make(config, config.servers.keys());
      this.startMissing(this.#wanted);
    }
    return this.#made;
  }

  keys(): Iterable<string> {
    return (this.#made ?? this.#options.config.servers).keys();
  }

  find(key: string): Link | undefined {
    return this.#current.get(key);
  }

  /** What is known of the servers, from this run or an earlier one. */
  catalog(): Catalog {
    const heard = [...this.#current].flatMap(([key, { listing }]) =>
      listing === undefined ? [] : [[key, listing] as const],
    );
    return new Map(heard);
  }

  /** Throws for a key that is not valid after a reload, and for a server that is left out. */
  get(key: string): Link {
    const link = this.#current.get(key);
    if (link !== undefined) return link;
    const fault = this.#leftOut?.servers.get(key)?.fault;
    if (fault !== undefined) throw new WorkbenchError(fault.code, fault.message, { fix: fault.fix });
    throw new WorkbenchError('WB1802', `Server '${key}' is not in the configuration any more.`, {
      fix: 'Read the list of tools again.',
    });
  }

  /** Starts servers without waiting for them. */
  start(keys: Iterable<string>): void {
    for (const key of keys) startQuietly(this.#current.get(key));
  }

  /** Starts the servers among these that are missing: at once, or with the links, which are made in the next turn at the latest. */
  startMissing(keys: Iterable<string>): void {
    if (this.#made !== undefined) this.start(this.missing(keys));
    else {
      if (this.#wanted.size === 0) setImmediate(() => this.#closed || this.#current);
      for (const key of keys) this.#wanted.add(key);
    }
  }

  /** What servers tell a model about themselves, from an earlier run until they are heard in this one. Needs no links. */
  introductions({ servers, limits }: Config): Introduction[] {
    const find = (definition: ServerDefinition) =>
      this.#made === undefined
        ? this.#options.maker.findAbout(definition, limits)
        : this.#made.get(definition.key)?.status;
    return [...servers.values()].map((definition) => {
      const { key, name } = definition;
      return { key, name, ...defined({ instructions: find(definition)?.instructions }) };
    });
  }

  /** The servers whose tools cannot be called now as they are known. */
  missing(keys: Iterable<string>): string[] {
    return [...keys].filter((key) => {
      const status = this.#current.get(key)?.status;
      return status !== undefined && !isAvailable(status);
    });
  }

  /** The servers of which nothing is known. */
  unlisted(keys: Iterable<string>): string[] {
    return [...keys].filter((key) => this.#current.get(key)?.listing === undefined);
  }

  /** Waits for the servers that are starting now, at most `limitMs` from the start of each; starts none. */
  async settled(keys: Iterable<string>, limitMs: number): Promise<void> {
    await Promise.all([...keys].map((key) => this.#current.get(key)?.settled(limitMs)));
  }

  /** The Workbench has learnt who its clients are. */
  reconsider(): void {
    for (const link of this.#made?.values() ?? []) link.reconsider();
  }

  /** Starts the servers that no client has used yet, one after the other, to hear what they offer; then they sleep again. */
  async hear(keys: Iterable<string>): Promise<void> {
    for (const key of keys) {
      const link = this.#current.get(key);
      if (link?.status.state === 'known') await link.hear().catch(() => {});
    }
  }

  /** Gives servers that are starting a moment to fail: a server that cannot be started fails at once. */
  async firstSigns(keys: Iterable<string>): Promise<void> {
    await this.settled(keys, firstSignMs);
  }

  /** Starts, once, the servers that are wanted before a client uses them. */
  startEager(): void {
    if (this.#eagerStarted) return;
    this.#eagerStarted = true;
    const { servers } = this.#options.config;
    if (this.#made === undefined && ![...servers.values()].some(isEager)) return;
    for (const link of this.#current.values()) if (isEager(link.definition)) startQuietly(link);
  }

  setLogLevel(level: LogLevel, client: Client): void {
    this.#logWish = [level, client];
    for (const link of this.#made?.values() ?? []) link.setLogLevel(level, client);
  }

  rootsChanged(client: Client): void {
    for (const link of this.#made?.values() ?? []) link.rootsChanged(client);
  }

  /** The lists of servers for this client alone, by key. */
  listingsFor(client: Client): Catalog {
    const own = [...this.#current].flatMap(([key, link]) => {
      const listing = link.listingFor(client);
      return listing === undefined ? [] : [[key, listing] as const];
    });
    return new Map(own);
  }

  /** Opens links to servers of a configuration; `swap` puts them in force. */
  open(config: Config, keys: Iterable<string>): NextLinks {
    const opened = this.#make(config, keys);
    for (const link of opened.values()) this.#aside.add(link);
    return opened;
  }

  /** Starts the replacements of servers in use and waits for them, so that their clients find them ready. */
  async prepare(next: NextLinks, { startWaitMs }: Config): Promise<void> {
    const heirs = [...next].filter(([key, link]) => isNeeded(link, this.#current.get(key))).map(([, link]) => link);
    const eager = [...next.values()].filter((link) => this.#eagerStarted && isEager(link.definition));
    for (const link of new Set([...heirs, ...eager])) startQuietly(link);
    await Promise.all(heirs.map((link) => link.settled(startWaitMs)));
  }

  /** Puts the next set in force and closes the links that are not in it. Gives what is known of the servers in it. */
  swap({ servers, leftOut }: Config, next: NextLinks, { keep, stop }: ReloadPlan): Catalog {
    const gone = stop.map((key) => this.get(key));
    const links = [...servers.keys()].map((key) => [key, next.get(key) ?? this.get(keep.get(key) ?? key)] as const);
    this.#made = new Map(links);
    this.#leftOut = leftOut;
    for (const link of next.values()) this.#aside.delete(link);
    for (const link of gone) {
      this.#aside.add(link);
      void link.drain(drainMs).finally(() => this.#aside.delete(link));
    }
    return this.catalog();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...(this.#made?.values() ?? []), ...this.#aside].map((link) => link.close()));
    await this.#options.maker.close();
  }

  #make({ servers, limits }: Config, keys: Iterable<string>): Map<string, Link> {
    const made = new Map<string, Link>();
    for (const key of keys) {
      const definition = servers.get(key);
      if (definition !== undefined) made.set(key, this.#listen(this.#options.maker.make(definition, limits)));
    }
    return made;
  }

  #listen(link: Link): Link {
    const { onListingChanged, onStatus, onOwnListingChanged } = this.#options;
    const whileInForce = (act: (key: string) => void) => {
      for (const [key, current] of this.#made ?? []) if (current === link) act(key);
    };
    link.onListingChanged((listing) => whileInForce((key) => onListingChanged(key, listing)));
    link.onStatus(() => whileInForce(onStatus));
    link.onOwnListingChanged((client) => whileInForce((key) => onOwnListingChanged(key, client)));
    if (this.#logWish !== undefined) link.setLogLevel(...this.#logWish);
    return link;
  }
}

function isEager({ start }: Link['definition']): boolean {
  return start === 'eager';
}

/** Start the replacement before the swap if its predecessor is in use, or if its tools are listed and nothing is known of the replacement. */
function isNeeded(link: Link, before: Link | undefined): boolean {
  if (before === undefined) return false;
  if (before.heard || before.status.state === 'starting') return true;
  return before.listing !== undefined && link.listing === undefined;
}

/** A server that fell asleep before it listed its tools has to be started. */
function isLeftAlone({ state, failure }: LinkStatus): boolean {
  return state === 'disabled' || state === 'ready' || (state === 'sleeping' && failure === undefined);
}

/** The status tells a failed start. */
function startQuietly(link: Link | undefined): void {
  if (link === undefined || isLeftAlone(link.status)) return;
  link.start().catch(() => {});
}
