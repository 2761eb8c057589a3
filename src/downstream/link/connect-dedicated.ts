/** Connects for one client, or for one call: the connection knows this client's questions, log messages, roots and lists. */
import { type Call, type Client, capabilitiesOf } from '../../base/call/call.ts';
import { findMissing } from '../../base/call/question.ts';
import type { Listing } from '../../catalog/listing.ts';
import type { Attempt } from '../connection/attempt.ts';
import { connect } from '../connection/connect.ts';
import { createRootsAtStart } from '../connection/roots-at-start.ts';
import type { ServerContext } from '../connection/server-context.ts';
import { createListingTracker } from '../listing/listing-tracker.ts';

export interface LaneEvents {
  onLost(): void;
  onUpdated(uri: string): void;
  /** What the server lists for this client has changed, or was heard for the first time. */
  onListingChanged(): void;
}

export interface ClientLane extends Attempt {
  /** What the server lists for this client, where that is heard. */
  readonly listing: Listing | undefined;
  /** Before the first call: the server may have to know something of the client, which may be asked with the call. */
  ready(call: Call): Promise<void> | undefined;
}

/** `onListAnnounced`: the server says that its lists have changed; those of all clients may have. */
export function connectLane(
  context: ServerContext,
  client: Client,
  events: LaneEvents & { onListAnnounced(): void },
): ClientLane {
  const { session } = client;
  const { definition, quirks, clock, log } = context;
  const declared = capabilitiesOf(client);
  let stopped = false;
  const knowsRoots = findMissing(declared, { method: 'roots/list', params: {} }) === undefined;
  const roots = createRootsAtStart({ clock, isAsked: knowsRoots && quirks.needs(definition, 'roots') });
  const attempt = connect(context, {
    declared,
    company: {
      connected: () => (session === undefined ? [] : [client]),
      hold: () => () => {},
      askLater: roots.ask,
      onRoots: roots.note,
      onNeed() {},
    },
    events: {
      onListAnnounced(kinds) {
        // As soon as one list of this connection is shown, all are.
        lists.refreshSoon(attempt, lists.heard ? kinds : undefined);
        events.onListAnnounced();
      },
      onNoise() {},
      onLost: () => events.onLost(),
      onUpdated: events.onUpdated,
      onLeftOut: (message) => log.warn(message, { code: 'WB1022' }),
    },
  });
  const lists = createListingTracker({
    clock,
    known: undefined,
    isCurrent: () => !stopped,
    onListingChanged: events.onListingChanged,
    onProblem: (code, message) => log.debug(message, { code }),
    onTools: (unread) => unread !== undefined && log.debug(unread, { code: 'WB1024' }),
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
