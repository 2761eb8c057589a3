/** What a connection has to know of those who use it, beyond the calls that are made on it. */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';
import type { Call, Client } from '../../base/call/call.ts';
import type { Answer, Question } from '../../base/call/question.ts';
import type { ServerEdge } from '../era/edge.ts';
import type { Presence } from './presence.ts';

/**
 * What a server has shown by what it asked or said. `apart`: it could have been meant for several clients, or was asked of one that
 * cannot be asked it, so each needs one of its own. `roots`: it wants those of its client, so the same.
 */
export type Need = 'apart' | 'roots';

export interface Company {
  /** The clients that are connected and use the connection, for when none of those that called on it still is. */
  connected(edge: ServerEdge): readonly Client[];
  /** Asks for the roots of the client that the connection is for, where no connected client can be asked. */
  askLater?(question: Question, signal: CancelSignal): Promise<Answer> | undefined;
  /** Keeps the connection until the returned function is called. */
  hold(): () => void;
  /** The roots of a client are asked for. */
  onRoots?(answered: Promise<Answer>): void;
  onNeed(need: Need, presence: Presence): void;
}

/** How long a server may go on with a call after it was told that the call is cancelled. */
const lingerMs = 10_000;
const maxLingering = 64;

export interface Lingering {
  note(call: Call): void;
  readonly clients: readonly Client[];
}

/** The clients whose calls were given up a moment ago. */
export function createLingering(clock: Clock): Lingering {
  let given: { readonly client: Client; readonly until: number }[] = [];
  return {
    note({ client }) {
      given = [...given, { client, until: clock.now() + lingerMs }].slice(-maxLingering);
    },
    get clients() {
      if (given.length > 0) given = given.filter(({ until }) => clock.now() < until);
      return given.map(({ client }) => client);
    },
  };
}
