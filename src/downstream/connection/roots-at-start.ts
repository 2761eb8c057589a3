/**
 * A server that wants the roots of its client asks for them when it starts, and does nothing useful before it has them. On a new
 * connection the first call waits until the server has asked and has its answer; a client that can be asked only with a call is
 * asked with that first call.
 */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import { type Clock, within } from '../../base/async/clock.ts';
import type { Call } from '../../base/call/call.ts';
import { type Answer, notDeclared, type Question } from '../../base/call/question.ts';

/** How long a server that has asked before may take to ask again. */
const askMs = 1_500;
/** How long a server may take to look at what it was told. */
const settleMs = 50;

export interface RootsAtStart {
  /** The server asks, and only the client of the next call can be asked. */
  ask(question: Question, signal: CancelSignal): Promise<Answer>;
  /** The server asks, and a client is being asked. */
  note(answered: Promise<Answer>): void;
  /** Undefined when the call need not wait. */
  ready(call: Call): Promise<void> | undefined;
  /** The connection is over: no call waits any more. */
  stop(): void;
}

export interface RootsAtStartOptions {
  readonly clock: Clock;
  /** The server is known to ask, and the client can be asked. */
  readonly isAsked: boolean;
}

export function createRootsAtStart({ clock, isAsked }: RootsAtStartOptions): RootsAtStart {
  let pending: { readonly question: Question; readonly signal: CancelSignal; settle(answer: Answer): void } | undefined;
  let begun = () => {};
  const asked = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let answered: Promise<Answer> | undefined;
  let done: Promise<void> | undefined;
  let stopped = false;
  let endPause = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(settleMs, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });

  const wait = async (call: Call): Promise<void> => {
    await within(clock, askMs, asked);
    if (pending !== undefined) {
      const { question, signal, settle } = pending;
      pending = undefined;
      settle(await call.ask(question, signal));
    }
    if (answered === undefined || stopped) return;
    await answered;
    if (!stopped) await pause();
  };
  const note = (answer: Promise<Answer>) => {
    answered ??= answer;
    begun();
  };
  return {
    ask(question, signal) {
      if (!isAsked || pending !== undefined) return Promise.resolve({ error: notDeclared(question) });
      const answer = new Promise<Answer>((settle) => {
        pending = { question, signal, settle };
      });
      note(answer);
      return answer;
    },
    note,
    ready(call) {
      if (!isAsked) return undefined;
      done ??= wait(call);
      return done;
    },
    stop() {
      stopped = true;
      begun();
      endPause();
    },
  };
}
