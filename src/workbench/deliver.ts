/** The way of a call from its address to the link of its server: after a sign-in that it waits for, and with whoever keeps account. */
import type { Call, CallOutcome } from '../base/call.ts';
import { Eventual } from '../base/eventual.ts';
import type { Link } from '../downstream/link.ts';
import type { Bench, Place } from './bench.ts';
import { handTo } from './hand-to.ts';
import { type Observed, type Observer, observeCall } from './observer.ts';

export interface Ways {
  readonly observer: Observer | undefined;
  /** Each throws a WorkbenchError when there is nothing there. */
  keyAt(place: Place): string;
  linkOf(key: string): Link;
}

/** `toOwn` makes what its server is sent, once that has been heard. */
export type Deliver = (place: Observed, call: Call, toOwn: () => Call) => Eventual<CallOutcome>;

export function createDelivery(
  bench: Pick<Bench, 'askSignIn' | 'afterSignIn'>,
  { observer, keyAt, linkOf }: Ways,
): Deliver {
  const hand: Deliver = (place, call, toOwn) => {
    const key = keyAt(place);
    return handTo(linkOf(key), call, { toOwn, askSignIn: () => bench.askSignIn(key, call) });
  };
  const send: Deliver = (place, call, toOwn) =>
    Eventual.run(() =>
      call.resume?.awaitsUrl === true
        ? bench.afterSignIn(keyAt(place), call).then(() => hand(place, call, toOwn))
        : hand(place, call, toOwn),
    );
  if (observer === undefined) return send;
  return (place, call, toOwn) => observeCall(observer, place, call, () => send(place, call, toOwn));
}
