/** The beginning of every connection: finds out the era within the time that the server has to start. */
import { within } from '../../base/async/clock.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { Era, ServerEdge } from '../era/edge.ts';
import { toLateStart } from '../process/failure.ts';
import { refuseToAsk } from '../questions/question-router.ts';
import type { PeerListener, RpcPeer } from '../rpc/rpc-peer.ts';
import { negotiate } from './negotiate.ts';
import type { ServerContext } from './server-context.ts';

const probeSilenceMs = 3_000;
/** Longer timers fire at once; the time that a server has to start ends before. */
const maxWaitMs = 2_147_483_647;

/** Hears a server before its handshake is over: no client can be meant yet. */
export const beforeHandshake: PeerListener = { notified() {}, asked: refuseToAsk, refuses: () => false };

export interface Handshake {
  readonly declared: JsonObject;
  readonly expected: Era | undefined;
  /** What it means when the probe gets no answer for a while. Over a network it means nothing. */
  readonly silence: 'is old' | 'means nothing';
}

export async function shakeHands(
  peer: RpcPeer,
  { definition, clock, identity, quirks, chain }: ServerContext,
  { declared, expected, silence }: Handshake,
): Promise<ServerEdge> {
  const negotiated = negotiate(peer, {
    clock,
    identity,
    declared,
    expected,
    trail: chain?.trailFor(definition),
    silenceMs: silence === 'is old' ? probeSilenceMs : maxWaitMs,
    onSilent: () => quirks.rememberLegacy(definition),
    // The server was busy, not old: the next start asks again.
    onLate: () => quirks.forgetLegacy(definition),
  });
  const edge = await within(clock, definition.startTimeoutMs, negotiated);
  const refusal = edge && chain?.reached(definition, edge.reaches);
  if (refusal !== undefined) throw refusal;
  if (edge !== undefined) return edge;
  negotiated.catch(() => {});
  throw toLateStart(definition);
}
