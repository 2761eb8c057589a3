/**
 * The links to the servers of the configuration in force, by key, and the change from one set of them to the next. A link speaks
 * for its server while it is one of the set; what it says before and after that is nobody's news.
 */
import type { Client, LogLevel } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Listing } from '../catalog/listing.ts';
import type { Config } from '../config/config.ts';
import type { Link } from '../downstream/link.ts';
import type { LinkStatus } from '../downstream/link-status.ts';
import type { LinkMaker } from './link-maker.ts';
import type { ReloadPlan } from './plan-reload.ts';
import { isAvailable } from './server-status.ts';

export interface LinksOptions {
  readonly maker: LinkMaker;
  readonly config: Config;
  onListingChanged(key: string, listing: Listing): void;
  onStatus(key: string): void;
  /** What a server lists for one client may have changed. */
  onOwnListingChanged(key: string, client: Client): void;
}

/** Links that are not in force yet, by the key they will have. */
export type NextLinks = ReadonlyMap<string, Link>;

/** How long calls under way at a server that is gone may take to end. */
const drainMs = 8_000;
/** How long a command that is not there, or a port where nobody listens, takes to show as that. */
const firstSignMs = 250;

export class Links {
  readonly #options: LinksOptions;
  /** Not in force yet, or no more. */
  readonly #aside = new Set<Link>();
  /** Undefined until one of them is needed: a client can be answered before. */
  #made: ReadonlyMap<string, Link> | undefined;
  #leftOut: Config['leftOut'];
  #eagerStarted = false;
  #logWish: readonly [LogLevel, Client] | undefined;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#leftOut = options.config.leftOut;
  }

  get #current(): ReadonlyMap<string, Link> {
    const { config } = this.#options;
    this.#made ??= this.#make(config, config.servers.keys());
    return this.#made;
  }

  keys(): Iterable<string> {
    return (this.#made ?? this.#options.config.servers).keys();
  }

  find(key: string): Link | undefined {
    return this.#current.get(key);
  }

  /** What is known of the servers, now or from before. */
  catalog(): Catalog {
    const heard = [...this.#current].flatMap(([key, { listing }]) =>
      listing === undefined ? [] : [[key, listing] as const],
    );
    return new Map(heard);
  }

  /** A key that was valid before a reload may be none after it; a server that is left out has none at all. */
  get(key: string): Link {
    const link = this.#current.get(key);
    if (link !== undefined) return link;
    const fault = this.#leftOut?.servers.get(key)?.fault;
    if (fault !== undefined) throw new WorkbenchError(fault.code, fault.message, { fix: fault.fix });
    throw new WorkbenchError('WB1802', `Server '${key}' is not in the configuration any more.`, {
      fix: 'Read the list of tools again.',
    });
  }

  /** Begins to start servers and does not wait. */
  start(keys: Iterable<string>): void {
    for (const key of keys) startQuietly(this.#current.get(key));
  }

  /** Those whose tools cannot be called as they are known, if they are. */
  missing(keys: Iterable<string>): string[] {
    return [...keys].filter((key) => {
      const status = this.#current.get(key)?.status;
      return status !== undefined && !isAvailable(status);
    });
  }

  /** Those that nothing is known of. */
  unlisted(keys: Iterable<string>): string[] {
    return [...keys].filter((key) => this.#current.get(key)?.listing === undefined);
  }

  /** Waits for those that are starting now, each up to its wait; starts none. */
  async settled(keys: Iterable<string>, limitMs: number): Promise<void> {
    await Promise.all([...keys].map((key) => this.#current.get(key)?.settled(limitMs)));
  }

  /** It was found out who the clients are. */
  reconsider(): void {
    for (const link of this.#made?.values() ?? []) link.reconsider();
  }

  /** Starts those that nobody has used yet, to hear what they offer; one after the other, and they sleep again. */
  async hear(keys: Iterable<string>): Promise<void> {
    for (const key of keys) {
      const link = this.#current.get(key);
      if (link?.status.state === 'known') await link.hear().catch(() => {});
    }
  }

  /** Gives those that are starting a moment to fail: what cannot even begin shows at once. */
  async firstSigns(keys: Iterable<string>): Promise<void> {
    await this.settled(keys, firstSignMs);
  }

  /** Those that are wanted before anybody uses them; once. */
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

  /** What servers list for this client alone, by key. */
  listingsFor(client: Client): Catalog {
    const own = [...this.#current].flatMap(([key, link]) => {
      const listing = link.listingFor(client);
      return listing === undefined ? [] : [[key, listing] as const];
    });
    return new Map(own);
  }

  /** New links to servers of a configuration, to be put in force by `swap`. */
  open(config: Config, keys: Iterable<string>): NextLinks {
    const opened = this.#make(config, keys);
    for (const link of opened.values()) this.#aside.add(link);
    return opened;
  }

  /** Whoever uses a server now must find the one that takes its place ready, as far as waiting helps. */
  async prepare(next: NextLinks, { startWaitMs }: Config): Promise<void> {
    const heirs = [...next].filter(([key, link]) => isNeeded(link, this.#current.get(key))).map(([, link]) => link);
    const eager = [...next.values()].filter((link) => this.#eagerStarted && isEager(link.definition));
    for (const link of new Set([...heirs, ...eager])) startQuietly(link);
    await Promise.all(heirs.map((link) => link.settled(startWaitMs)));
  }

  /** Puts the next set in force and lets go of what is in it no more. Gives what is known of the servers in it. */
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

/** Of the server whose place it takes the tools are shown, or somebody waits for them. Where nobody used that one, it is enough that something is known. */
function isNeeded(link: Link, before: Link | undefined): boolean {
  if (before === undefined) return false;
  if (before.heard || before.status.state === 'starting') return true;
  return before.listing !== undefined && link.listing === undefined;
}

/** One that fell asleep without having told its tools has to be heard. */
function isLeftAlone({ state, failure }: LinkStatus): boolean {
  return state === 'disabled' || state === 'ready' || (state === 'sleeping' && failure === undefined);
}

/** A failed start is told by the status, to whoever asks for it. */
function startQuietly(link: Link | undefined): void {
  if (link === undefined || isLeftAlone(link.status)) return;
  link.start().catch(() => {});
}
