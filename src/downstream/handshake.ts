/** The beginning of every connection: the era is found out within the time a server has to start. */
import { within } from '../base/clock.ts';
import type { ConnectOptions } from './connect.ts';
import type { Era, ServerEdge } from './edge.ts';
import { toLateStart } from './failure.ts';
import { negotiate } from './negotiate.ts';
import type { Peer } from './peer.ts';

const probeSilenceMs = 3_000;
/** Longer timers fire at once; the time a server has to start ends before. */
const longestWaitMs = 2_147_483_647;

export async function shakeHands(
  peer: Peer,
  options: ConnectOptions & {
    readonly expected: Era | undefined;
    /** What it means when the probe gets no answer for a while: an old server, or (over a network) nothing. */
    readonly silence: 'is old' | 'is no sign';
  },
): Promise<ServerEdge> {
  const { definition, clock, identity, declared, expected, verdicts, chain } = options;
  const negotiated = negotiate(peer, {
    clock,
    identity,
    declared,
    expected,
    trail: chain?.trailFor(definition),
    silenceMs: options.silence === 'is old' ? probeSilenceMs : longestWaitMs,
    onSilent: () => verdicts.rememberLegacy(definition),
    // It was busy, not old: the next start asks again.
    onLate: () => verdicts.forgetLegacy(definition),
  });
  const edge = await within(clock, definition.startTimeoutMs, negotiated);
  const refusal = edge && chain?.reached(definition, edge.reaches);
  if (refusal !== undefined) throw refusal;
  if (edge !== undefined) return edge;
  negotiated.catch(() => {});
  throw toLateStart(definition);
}
