/** A connection that is used by one client, or for one call: it knows this client's questions, log messages, roots and lists. */
import { type Call, type Client, capabilitiesOf } from '../base/call.ts';
import { findMissing } from '../base/question.ts';
import type { Listing } from '../catalog/listing.ts';
import { type Attempt, type ConnectOptions, connect } from './connect.ts';
import { createListingKeeper } from './keep-listing.ts';
import type { LaneEvents } from './lanes.ts';
import { createRootsAtStart } from './roots-at-start.ts';

export interface LaneOptions extends Omit<ConnectOptions, 'events' | 'declared' | 'company'> {
  /** The server says that its lists have changed: those of all clients may have. */
  onListChanged(): void;
}

export interface ClientLane extends Attempt {
  /** What the server lists for this client, where that is heard. */
  readonly listing: Listing | undefined;
  /** Before the first call: the server may have to know something of the client, which may be asked with the call. */
  ready(call: Call): Promise<void> | undefined;
}

export function connectLane(options: LaneOptions, client: Client, events: LaneEvents): ClientLane {
  const { session } = client;
  const { definition, verdicts, clock, log } = options;
  const declared = capabilitiesOf(client);
  let stopped = false;
  const knowsRoots = findMissing(declared, { method: 'roots/list', params: {} }) === undefined;
  const roots = createRootsAtStart({ clock, isAsked: knowsRoots && verdicts.needs(definition, 'roots') });
  const attempt = connect({
    ...options,
    declared,
    company: {
      connected: () => (session === undefined ? [] : [client]),
      hold: () => () => {},
      askLater: roots.ask,
      onRoots: roots.note,
      onNeed() {},
    },
    events: {
      onListChanged(changed) {
        // What is shown of one list is shown of all.
        lists.refreshSoon(attempt, lists.heard ? changed : undefined);
        options.onListChanged();
      },
      onNoise() {},
      onLost: () => events.onLost(),
      onUpdated: events.onUpdated,
      onLeftOut: (message) => log.warn(message, { code: 'WB1022' }),
    },
  });
  const lists = createListingKeeper({
    clock,
    known: undefined,
    isCurrent: () => !stopped,
    onChanged: events.onListing,
    onProblem: (code, message) => log.debug(message, { code }),
    onSolved() {},
  });
  attempt.connected
    .then(({ connection }) => {
      connection.edge.watchLists();
      if (session?.logLevel !== undefined) connection.edge.ensureLogLevel(session.logLevel);
      // The lists of a client without a session may not change by what it does, only when the server says so.
      return session === undefined ? undefined : lists.read(attempt);
    })
    .catch(() => {});
  const stopRoots = session?.onRootsChanged(() => {
    attempt.connected.then(({ connection }) => connection.rootsChanged()).catch(() => {});
  });
  return {
    ...attempt,
    get listing() {
      return lists.listing;
    },
    ready: roots.ready,
    stop() {
      stopped = true;
      roots.stop();
      lists.close();
      stopRoots?.();
      return attempt.stop();
    },
  };
}
