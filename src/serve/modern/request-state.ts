/**
 * The state that a client carries from a question of ours to its answer. It says which call waits, and is sealed: it counts only
 * unchanged, for the principal it was given to, in this process, for a while. A server's own state is never taken for it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseObject } from '../../base/json/json.ts';

export interface StatePayload {
  readonly call: string;
  /** How often the call has asked, so that each answer is taken once. */
  readonly round: number;
  readonly expiresAt: number;
}

/** Why a state does not count. */
export type StateFault = 'invalid' | 'restarted' | 'expired';

export interface StateSeal {
  seal(ticket: StatePayload, principal: string): string;
  open(state: string, on: { readonly principal: string; readonly now: number }): StatePayload | StateFault;
}

const ours = 'wb1.';
/** Stands before the state of a server that looks like one of a Workbench: that of another one behind us. */
const escaped = 'wb0.';

export function createStateSeal(): StateSeal {
  let made: { readonly secret: Buffer; readonly instance: string } | undefined;
  // Made for the first call that asks: Node's cryptography takes a while to load.
  const own = () => {
    made ??= { secret: randomBytes(32), instance: randomBytes(12).toString('base64url') };
    return made;
  };
  const macOf = (payload: string, principal: string): string =>
    createHmac('sha256', own().secret)
      .update(JSON.stringify([payload, principal]))
      .digest('base64url');
  return {
    seal({ call, round, expiresAt }, principal) {
      const payload = Buffer.from(JSON.stringify({ instance: own().instance, call, round, expiresAt })).toString(
        'base64url',
      );
      return `${ours}${payload}.${macOf(payload, principal)}`;
    },
    open(state, { principal, now }) {
      const [, payload, mac] = /^wb1\.([\w-]{1,1000})\.([\w-]{43})$/.exec(state) ?? [];
      if (payload === undefined || mac === undefined) return 'invalid';
      const said = parseObject(Buffer.from(payload, 'base64url').toString());
      // Only to say it in the right words: it is not proven yet.
      if (said !== undefined && typeof said.instance === 'string' && said.instance !== own().instance)
        return 'restarted';
      if (said === undefined || !isEqual(mac, macOf(payload, principal))) return 'invalid';
      const ticket = said as unknown as StatePayload;
      return ticket.expiresAt <= now ? 'expired' : ticket;
    },
  };
}

/** Both are of one length. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/** Whether a state was, as far as it says, given by us and not by a server. */
export function isOurState(state: string): boolean {
  return state.startsWith(ours);
}

/** A server's state on its way to the client. */
export function escapeState(state: string): string {
  return state.startsWith(ours) || state.startsWith(escaped) ? `${escaped}${state}` : state;
}

/** And back. */
export function unescapeState(state: string): string {
  return state.startsWith(escaped) ? state.slice(escaped.length) : state;
}
