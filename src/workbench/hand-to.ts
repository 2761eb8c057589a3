/** Hands a call to the link of its server: within the bound of calls that are under way there, and to a server that has been heard. */
import type { Call, CallOutcome } from '../base/call.ts';
import { Eventual } from '../base/eventual.ts';
import type { Link } from '../downstream/link.ts';
import { helpsSignIn } from './sign-in-calls.ts';

export interface HandOptions {
  /** Makes what the server is sent, once it has been heard. */
  toOwn(): Call;
  /** The call failed for want of a sign-in. */
  askSignIn(): Promise<void>;
}

/** Throws Busy at once when too many calls are under way there. */
export function handTo(link: Link, call: Call, { toOwn, askSignIn }: HandOptions): Eventual<CallOutcome> {
  link.takeSlot();
  return Eventual.run(() =>
    // What is known from an earlier run may not be true any more.
    link.heard ? link.call(toOwn()) : link.startFor(call).then(() => link.call(toOwn())),
  ).map(
    (outcome) => {
      link.giveSlot();
      return outcome;
    },
    async (error) => {
      try {
        if (helpsSignIn(error)) await askSignIn();
      } finally {
        link.giveSlot();
      }
      throw error;
    },
  );
}
