/** The calls of stateless clients, and those among them that wait for the answer to a question. Lives as long as the service. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/async/clock.ts';
import type { CallOutcome } from '../../base/call/call.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { digestParams } from './params-digest.ts';
import { createStateSeal, type StateFault } from './request-state.ts';
import { type AttemptResult, type CallAttempt, ResumableCall } from './resumable-call.ts';

export interface ParkLimits {
  /** Calls that have asked something and are not over. */
  readonly calls: number;
  readonly callsPerPrincipal: number;
  /** How long a client may take to come with the answers. */
  readonly answerMs: number;
}

export const parkLimits: ParkLimits = { calls: 256, callsPerPrincipal: 32, answerMs: 10 * 60_000 };

/** A request of a client, as far as it decides which call it belongs to. */
export interface CallRequest {
  readonly principal: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** Why a state leads to no call: see `StateFault`; it has been used, its call is over, or it belongs to another request. */
export type ResumeFault = StateFault | 'used' | 'over' | 'changed';

export interface ParkedCalls {
  begin(
    request: CallRequest,
    visit: CallAttempt,
    run: (call: ResumableCall) => Promise<CallOutcome>,
  ): Promise<AttemptResult>;
  /** Goes on with the call that a state names. A fault has changed nothing. */
  resume(request: CallRequest, visit: CallAttempt, answered: ParkedAnswer): Promise<AttemptResult> | ResumeFault;
  /** Gives all parked calls up; none can be parked from here on. */
  close(): void;
}

export interface ParkedAnswer {
  readonly state: string;
  readonly answers: JsonObject;
}

interface Parked {
  readonly call: ResumableCall;
  readonly principal: string;
  readonly method: string;
  readonly digest: string;
  round: number;
  /** While it waits for the client. */
  cancelExpiry: (() => void) | undefined;
}

export function createParkedCalls(clock: Clock, limits: ParkLimits = parkLimits): ParkedCalls {
  const seal = createStateSeal();
  const calls = new Map<string, Parked>();
  let closed = false;

  const hasRoom = (principal: string): boolean => {
    const own = [...calls.values()].filter((each) => each.principal === principal);
    return !closed && calls.size < limits.calls && own.length < limits.callsPerPrincipal;
  };
  const forget = (id: string) => {
    calls.get(id)?.cancelExpiry?.();
    calls.delete(id);
  };

  return {
    begin({ principal, method, params }, visit, run) {
      let id: string | undefined;
      const park = (): string | undefined => {
        // A call that was parked once keeps its place until it is over.
        if (id === undefined && !hasRoom(principal)) return undefined;
        id ??= randomBytes(16).toString('base64url');
        const parked = calls.get(id) ?? {
          call,
          principal,
          method,
          digest: digestParams(params),
          round: 0,
          cancelExpiry: undefined,
        };
        calls.set(id, parked);
        parked.round++;
        parked.cancelExpiry = clock.after(limits.answerMs, () => call.expire());
        return seal.seal({ call: id, round: parked.round, expiresAt: clock.now() + limits.answerMs }, principal);
      };
      const call = new ResumableCall({ clock, park, forget: () => id !== undefined && forget(id) });
      return call.begin(visit, () => run(call));
    },
    resume({ principal, method, params }, visit, { state, answers }) {
      const ticket = seal.open(state, { principal, now: clock.now() });
      if (typeof ticket === 'string') return ticket;
      const parked = calls.get(ticket.call);
      if (parked === undefined) return 'over';
      if (parked.round !== ticket.round || parked.cancelExpiry === undefined) return 'used';
      if (parked.method !== method || parked.digest !== digestParams(params)) return 'changed';
      parked.cancelExpiry();
      parked.cancelExpiry = undefined;
      return parked.call.resume(visit, answers);
    },
    close() {
      closed = true;
      // One whose client waits ends with the request that it waits on.
      for (const { call, cancelExpiry } of [...calls.values()]) if (cancelExpiry !== undefined) call.cancel();
    },
  };
}
