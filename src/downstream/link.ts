/**
 * Our link to one server, over all its connections: starts it when it is needed, keeps its listing fresh, and says how it is.
 * Owns at most one connection at a time; a late event of an earlier one is ignored.
 */
import { Busy } from '../base/busy.ts';
import type { Call, LogLevel, Outcome } from '../base/call.ts';
import { within } from '../base/clock.ts';
import { type ErrorCode, toMessage, WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import { createSignal } from '../base/signal.ts';
import { createSlots, type Slots } from '../base/slots.ts';
import { type Kind, kinds } from '../catalog/kind.ts';
import { emptyListing, type Listing, sameListing, withHeard } from '../catalog/listing.ts';
import type { ServerDefinition } from '../config/config.ts';
import { type Attempt, type Connected, type ConnectOptions, connect } from './connect.ts';
import type { Era, ServerInfo } from './edge.ts';

export type LinkState = 'configured' | 'starting' | 'ready' | 'failing' | 'disabled';

export interface LinkStatus {
  readonly state: LinkState;
  readonly era?: Era;
  readonly protocolVersion?: string;
  readonly info?: ServerInfo;
  readonly instructions?: string;
  /** From the start of the process to a complete list. */
  readonly startMs?: number;
  readonly failure?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly fix: string;
    readonly stderr: readonly string[];
  };
  readonly notes: readonly { readonly code: ErrorCode; readonly message: string }[];
}

export type LinkOptions = Omit<ConnectOptions, 'events'>;

/** Changes that come in a burst are read once, and never more often than this. */
const refreshDelayMs = 50;
const refreshPauseMs = 1_000;
const noiseShown = 3;

export class Link {
  readonly definition: ServerDefinition;
  readonly #statusChanged = createSignal<void>();
  readonly #listingChanged = createSignal<Listing>();
  readonly #logged = createSignal<JsonObject>();
  readonly #options: LinkOptions;
  /** Of calls that are not answered yet. */
  readonly #slots: Slots;
  #status: LinkStatus;
  #listing: Listing | undefined;
  #attempt: Attempt | undefined;
  #starting: Promise<Connected> | undefined;
  #startedAt = 0;
  #live: Connected | undefined;
  #logLevel: LogLevel | undefined;
  /** Kinds to read again soon. */
  readonly #stale = new Set<Kind>();
  #refreshing = false;
  #lastRefresh = Number.NEGATIVE_INFINITY;
  #noise = 0;
  #closed = false;

  constructor(options: LinkOptions) {
    this.#options = { ...options, log: options.log.with({ server: options.definition.name }) };
    this.definition = options.definition;
    this.#slots = createSlots(options.limits.callsPerServer);
    this.#status = { state: options.definition.disabled ? 'disabled' : 'configured', notes: [] };
  }

  get status(): LinkStatus {
    return this.#status;
  }

  /** Undefined until the server has been heard once. */
  get listing(): Listing | undefined {
    return this.#listing;
  }

  onStatus(listener: () => void): () => void {
    return this.#statusChanged.on(listener);
  }

  onListing(listener: (listing: Listing) => void): () => void {
    return this.#listingChanged.on(listener);
  }

  /** Log messages that belong to no call. */
  onLog(listener: (params: JsonObject) => void): () => void {
    return this.#logged.on(listener);
  }

  /** Resolves when the server is ready, rejects with a WorkbenchError when it cannot be. Many callers share one start. */
  start(): Promise<Connected> {
    // A process that has exited is still listened to for a moment; what is asked meanwhile needs a new one.
    if (this.#live?.carrier.running === true) return Promise.resolve(this.#live);
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Waits until the server is ready or has failed, but never past `limitMs` from the beginning of its start. */
  async settled(limitMs: number): Promise<void> {
    const remaining = this.#startedAt + limitMs - this.#options.clock.now();
    if (this.#starting === undefined || remaining <= 0) return;
    await within(this.#options.clock, remaining, this.#starting).catch(() => {});
  }

  /** Takes a place for one call and gives the function that gives it back. Throws Busy when all are taken. */
  admit(): () => void {
    const release = this.#slots.take();
    if (release !== undefined) return release;
    const { callsPerServer } = this.#options.limits;
    throw new Busy(`server '${this.definition.name}' has ${callsPerServer} calls that it has not answered yet.`);
  }

  async call(call: Call): Promise<Outcome> {
    const { connection } = await this.start();
    return connection.call(call);
  }

  /** Log messages that belong to no call are wanted from here on, down to this level. */
  setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
    this.#live?.connection.edge.ensureLogLevel(level);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#live = undefined;
    await this.#attempt?.stop();
  }

  async #begin(): Promise<Connected> {
    const { clock, log } = this.#options;
    if (this.#closed) throw new WorkbenchError('WB1010', 'The Workbench is shutting down.');
    this.#startedAt = clock.now();
    this.#noise = 0;
    if (this.#status.state !== 'disabled') this.#update({ state: 'starting', notes: [] });
    const attempt = connect({
      ...this.#options,
      events: {
        onListChanged: (changed) => this.#refreshSoon(attempt, changed),
        onLog: (params) => this.#logged.emit(params),
        onLost: (failure) => this.#lost(attempt, failure),
        onNoise: (line) => this.#noisy(line),
      },
    });
    this.#attempt = attempt;
    try {
      const connected = await attempt.connected;
      // Before the first read, so that no change can fall between the two.
      connected.connection.edge.watchLists();
      await this.#read(connected, kinds);
      if (this.#closed) throw new WorkbenchError('WB1010', 'The Workbench is shutting down.');
      const { era, protocolVersion, info, instructions } = connected.connection.edge;
      if (!connected.carrier.running)
        throw new WorkbenchError('WB1010', `Server '${this.definition.name}' was lost while its tools were read.`);
      this.#live = connected;
      if (this.#logLevel !== undefined) connected.connection.edge.ensureLogLevel(this.#logLevel);
      const startMs = clock.now() - this.#startedAt;
      this.#update({
        ...this.#status,
        state: 'ready',
        era,
        protocolVersion,
        info,
        startMs,
        ...(instructions === undefined ? {} : { instructions }),
      });
      log.info('server ready', { era, protocolVersion, tools: this.#listing?.tools.length, startMs });
      return connected;
    } catch (error) {
      await attempt.stop();
      throw this.#failed(attempt, error);
    }
  }

  async #read({ connection }: Connected, wanted: readonly Kind[]): Promise<void> {
    const heard = await connection.listing(wanted);
    for (const { problems } of heard.values()) for (const { code, message } of problems) this.#note(code, message);
    const before = this.#listing ?? emptyListing;
    this.#listing = withHeard(before, heard);
    if (!sameListing(before, this.#listing)) this.#listingChanged.emit(this.#listing);
  }

  #refreshSoon(attempt: Attempt, changed: readonly Kind[] = kinds): void {
    for (const kind of changed) this.#stale.add(kind);
    if (this.#refreshing) return;
    this.#refreshing = true;
    const pause = this.#lastRefresh + refreshPauseMs - this.#options.clock.now();
    this.#options.clock.after(Math.max(refreshDelayMs, pause), () => {
      this.#refreshing = false;
      this.#lastRefresh = this.#options.clock.now();
      const wanted = [...this.#stale];
      this.#stale.clear();
      if (this.#attempt !== attempt) return;
      attempt.connected.then((connected) => this.#read(connected, wanted)).catch(() => {});
    });
  }

  #lost(attempt: Attempt, failure: WorkbenchError): void {
    if (this.#attempt !== attempt || this.#closed) return;
    this.#live = undefined;
    // What is left of its process group must not outlive it.
    void attempt.stop();
    if (this.#starting === undefined) this.#failed(attempt, failure);
  }

  #failed(attempt: Attempt, error: unknown): WorkbenchError {
    const { hide } = this.#options.redactor;
    const cause = error instanceof WorkbenchError ? error : new WorkbenchError('WB1999', toMessage(error));
    // Commands and folders may be named by variables, and whatever comes from a variable may be a secret.
    const failure = new WorkbenchError(cause.code, hide(cause.message), { fix: hide(cause.fix) });
    const { code, message, fix } = failure;
    const stderr = attempt.stderrTail().slice(-10);
    const shown = stderr.map((line) => toPrintable(hide(line), 300));
    if (this.#status.state !== 'disabled') {
      this.#update({ state: 'failing', notes: this.#status.notes, failure: { code, message, fix, stderr: shown } });
    }
    if (!this.#closed) this.#options.log.warn(message, { code });
    return failure;
  }

  #noisy(line: string): void {
    this.#noise++;
    if (this.#noise > noiseShown) return;
    this.#note(
      'WB1006',
      `printed text on stdout that is no message: ${toPrintable(this.#options.redactor.hide(line), 120)}`,
    );
  }

  #note(code: ErrorCode, message: string): void {
    if (this.#status.notes.some((note) => note.message === message)) return;
    this.#options.log.warn(message, { code });
    this.#update({ ...this.#status, notes: [...this.#status.notes, { code, message }] });
  }

  #update(status: LinkStatus): void {
    this.#status = status;
    this.#statusChanged.emit();
  }
}
