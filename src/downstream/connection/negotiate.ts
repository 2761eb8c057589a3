/**
 * Finds out which era a server speaks, in place: `server/discover` first, `initialize` when that is refused.
 * A server that stays silent is sent `initialize` too; both questions then stay open, because a server that is only slow
 * to start will answer them both. The answer to the first question counts, even if it comes late.
 */

import { type Clock, within } from '../../base/async/clock.ts';
import type { Outcome } from '../../base/call/call.ts';
import { trailKey } from '../../base/call/trail.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findMember, findObject, findString, type Json, type JsonObject, withMembers } from '../../base/json/json.ts';
import { rpcCode } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { Era, Identity, ServerEdge } from '../era/edge.ts';
import { createLegacyEdge, initializeParams } from '../era/legacy.ts';
import { createModernEdge, modernMeta, modernVersion } from '../era/modern.ts';
import type { RpcPeer } from '../rpc/rpc-peer.ts';

export interface NegotiateOptions {
  readonly clock: Clock;
  readonly identity: Identity;
  /** What the client can do for the server, as far as the server is told before any call. */
  readonly declared: JsonObject;
  /** Ids of the Workbenches that lead to the server, this one included; undefined or empty when the server is not told. */
  readonly trail?: readonly string[] | undefined;
  /** What is remembered of this server: a known legacy server is not probed. */
  readonly expected: Era | undefined;
  /** How long a silent server is given before `initialize` is tried as well. */
  readonly silenceMs: number;
  /** Called when the probe cost a wait, so that the next start can do without it. */
  onSilent(): void;
  /** Called when the probe was answered after all. */
  onLate(): void;
}

export async function negotiate(peer: RpcPeer, options: NegotiateOptions): Promise<ServerEdge> {
  const { identity, declared, trail = [] } = options;
  const meta: JsonObject = trail.length === 0 ? {} : { [trailKey]: [...trail] };
  const discover = () =>
    peer.request('server/discover', () => ({ _meta: { ...modernMeta(identity, declared), ...meta } })).outcome;
  const initialize = () =>
    peer.request('initialize', () =>
      withMembers(initializeParams(identity, declared), { _meta: trail.length === 0 ? undefined : meta }),
    ).outcome;
  const legacyEdge = (answer: JsonObject) => createLegacyEdge(peer, answer, declared) ?? unknownVersion(answer);
  const modernEdge = (outcome: Outcome) =>
    'result' in outcome ? createModernEdge(peer, outcome.result.value, options) : undefined;

  if (options.expected === 'legacy') {
    const answered = await initialize();
    if ('result' in answered) return legacyEdge(answered.result.value);
    const discovered = await discover();
    return modernEdge(discovered) ?? refused(answered);
  }

  const probe = discover();
  let first = await within(options.clock, options.silenceMs, probe);
  if (first !== undefined && refusesWhatItSpeaks(first)) first = await discover();
  if (first !== undefined) {
    const edge = modernEdge(first);
    if (edge !== undefined) return edge;
    if (isModernFault(first) || isReturn(first)) refused(first);
    if (isModernOnly(first))
      throw new WorkbenchError('WB1008', 'The server speaks only protocol versions the Workbench does not know.');
    const answered = await initialize();
    return 'result' in answered ? legacyEdge(answered.result.value) : refused(answered);
  }

  return afterSilence(options, { probe, answered: initialize(), legacyEdge, modernEdge });
}

/** How long the answer to the probe is waited for after the answer to `initialize`: a server answers both together, or only one. */
const graceMs = 500;

interface Questions {
  readonly probe: Promise<Outcome>;
  /** The answer to `initialize`. */
  readonly answered: Promise<Outcome>;
  legacyEdge(answer: JsonObject): ServerEdge;
  modernEdge(outcome: Outcome): ServerEdge | undefined;
}

async function afterSilence(
  { clock, silenceMs, onSilent, onLate }: NegotiateOptions,
  { probe, answered, legacyEdge, modernEdge }: Questions,
): Promise<ServerEdge> {
  answered.catch(ignore);
  const first = await Promise.race([probe, answered.then(() => undefined)]);
  const early = first && modernEdge(first);
  if (early !== undefined) return early;
  const outcome = await answered;
  const isShaken = 'result' in outcome;
  const late = first ?? (await within(clock, isShaken ? graceMs : silenceMs, probe));
  const edge = late && modernEdge(late);
  if (edge !== undefined) return edge;
  if (!isShaken) refused(outcome);
  if (late === undefined) {
    onSilent();
    probe.then(onLate, ignore);
  }
  return legacyEdge(outcome.result.value);
}

function unknownVersion(answer: JsonObject): never {
  // A value of another type may be nested too deep to be written as text.
  const version = findString(answer, 'protocolVersion') ?? 'not a string';
  throw new WorkbenchError(
    'WB1008',
    `The server answered with protocol version '${toPrintable(version, 40)}', which the Workbench does not know.`,
  );
}

/** Only a server of the stateless era refuses with these codes, so a handshake would fail. */
function isModernFault(outcome: Outcome): boolean {
  if ('result' in outcome) return false;
  return outcome.error.code === rpcCode.headerMismatch || outcome.error.code === rpcCode.missingCapability;
}

/** The server refused the version and names it among those it supports: a second try may succeed, a handshake would not. */
function refusesWhatItSpeaks(outcome: Outcome): boolean {
  if ('result' in outcome || outcome.error.code !== rpcCode.unsupportedVersion) return false;
  const supported = findObject(outcome.error, 'data')?.supported;
  return Array.isArray(supported) && supported.includes(modernVersion);
}

/** The server knows per-request versions but shares none with us: falling back to a handshake would be wrong. */
function isModernOnly(outcome: Outcome): boolean {
  if ('result' in outcome) return !supportsHandshake(findMember(outcome.result.value, 'supportedVersions'));
  if (outcome.error.code !== rpcCode.unsupportedVersion) return false;
  return !supportsHandshake(findObject(outcome.error, 'data')?.supported);
}

function supportsHandshake(versions: Json | undefined): boolean {
  return (
    !Array.isArray(versions) ||
    versions.length === 0 ||
    versions.some((version) => typeof version === 'string' && version < modernVersion)
  );
}

/** The server is this Workbench, and has recognised itself by the trail. */
function isReturn(outcome: Outcome): boolean {
  return 'error' in outcome && findObject(outcome.error, 'data')?.code === 'WB1023';
}

function refused(outcome: Outcome): never {
  if (isReturn(outcome))
    throw new WorkbenchError('WB1023', 'The server is this Workbench, or one that leads back to it. It is left out.');
  const reason = 'error' in outcome ? toPrintable(outcome.error.message, 200) : 'no usable answer';
  throw new WorkbenchError('WB1007', `The server refused the handshake: ${reason}`);
}

const ignore = () => {};
