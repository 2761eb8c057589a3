/** Finds the entry of a public name, or the reason why there is none. */

import type { Call } from '../../base/call/call.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { didYouMean, quote } from '../../base/text/error-text.ts';
import { nearestFirst } from '../../base/text/nearest.ts';
import { type Kind, kindRules } from '../../catalog/kind.ts';
import { describeCollision, findPublicEntry, type NameTable } from '../../toolbox/name-table.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import type { ServerStatus } from '../../workbench/reports/server-status.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { toCause } from './tool-result.ts';

/** The public names of one kind, and the servers that may own a name that is not known yet. */
export interface NameSpace {
  readonly kind: Kind;
  names(): NameTable;
  /** Keys of the servers that this name may belong to, by its form. */
  findOwners(publicName: string): Owners;
}

export interface Owners {
  /** The server that the name begins with. */
  readonly named: readonly string[];
  /** Servers whose entries do not have the server's name in their public names. */
  readonly unnamed: readonly string[];
}

export type Found = { readonly entry: Entry } | { readonly missing: Missing };

export interface Missing {
  /** Several entries want the name; the list of its server is not known; there is no such entry. */
  readonly reason: 'collision' | 'silent' | 'unknown';
  readonly message: string;
  /** The server whose list is not known. */
  readonly code?: ErrorCode;
  readonly fix?: string;
}

/** Starts a server that the name may belong to and whose list is not known, after the sign-in that it waits for. */
export async function findPublic(
  bench: WorkbenchView,
  space: NameSpace,
  publicName: string,
  call: Call,
): Promise<Found> {
  const find = () => findPublicEntry(space.names(), publicName);
  let entry = find();
  if (entry !== undefined) return { entry };
  const { named, unnamed } = space.findOwners(publicName);
  const owners = [...named, ...unnamed];
  const unheard = findUnheard(bench, owners);
  await Promise.all(unheard.map(({ key }) => bench.afterSignIn(key, call)));
  const started = unheard.filter((status) => mayStart(status, space.kind));
  if (started.length > 0) bench.startAll(started.map(({ key }) => key));
  // Names may be shortened or made safe: a name without a server may belong to any server that is starting.
  await untilKnown(bench, named.length > 0 ? owners : undefined, () => find() !== undefined);
  entry = find();
  return entry === undefined ? { missing: await explainMissing(bench, space, publicName, call) } : { entry };
}

/** Looks at the configuration in force: another may have come while servers were waited for. */
async function explainMissing(
  bench: WorkbenchView,
  space: NameSpace,
  publicName: string,
  call: Call,
): Promise<Missing> {
  const { named, unnamed } = space.findOwners(publicName);
  const silent = findSilent(bench, named.length > 0 ? named : unnamed);
  for (const { key, failure } of findUnheard(bench, [...named, ...unnamed]))
    if (failure?.code === 'WB1201') await bench.askSignIn(key, call);
  return findCollision(space, publicName) ?? silent ?? toUnknown(space, publicName);
}

function findUnheard(bench: WorkbenchView, keys: readonly string[]): ServerStatus[] {
  return keys.map((key) => bench.statusOf(key)).filter(({ tools }) => tools === undefined);
}

/** The same, with the reason as an error of the protocol. */
export async function findPublicOrError(
  bench: WorkbenchView,
  space: NameSpace,
  publicName: string,
  call: Call,
): Promise<{ readonly entry: Entry } | { readonly error: RpcError }> {
  const found = await findPublic(bench, space, publicName, call);
  if ('entry' in found) return found;
  const { reason, message, code, fix } = found.missing;
  if (reason !== 'silent') return { error: rpcError(rpcCode.invalidParams, message) };
  return { error: rpcError(rpcCode.serverFailed, fix === undefined ? message : `${message} ${fix}`, code && { code }) };
}

/** A model may call missing names again and again: that must not start a broken server each time. */
function mayStart({ failure }: ServerStatus, kind: Kind): boolean {
  return kind !== 'tools' || failure === undefined || failure.code === 'WB1201';
}

/** Waits for servers that are starting, but no longer than until the name is known. */
async function untilKnown(
  bench: WorkbenchView,
  keys: readonly string[] | undefined,
  isKnown: () => boolean,
): Promise<void> {
  let stop = () => {};
  const known = new Promise<void>((resolve) => {
    stop = bench.onChanged(() => {
      if (isKnown()) resolve();
    });
  });
  await Promise.race([bench.settled(keys), known]).finally(() => stop());
}

function findCollision({ names }: NameSpace, publicName: string): Missing | undefined {
  const claimants = names().collisions.get(publicName);
  return claimants && { reason: 'collision', message: describeCollision(publicName, claimants) };
}

/** The entries of a server that never started cannot be known: the answer says so. */
function findSilent(bench: WorkbenchView, keys: readonly string[]): Missing | undefined {
  for (const { name, state, failure } of findUnheard(bench, keys)) {
    if (failure !== undefined) {
      const { code, fix } = failure;
      return { reason: 'silent', message: toCause(failure, `server '${name}'`), code, fix };
    }
    if (state === 'starting')
      return { reason: 'silent', message: `Server '${name}' is still starting. Try again in a moment.` };
    if (state === 'disabled')
      return { reason: 'silent', message: `Server '${name}' is disabled in the configuration.`, code: 'WB1016' };
  }
  return undefined;
}

function toUnknown({ kind, names, findOwners }: NameSpace, publicName: string): Missing {
  const { entries } = names();
  const owners = new Set(findOwners(publicName).named);
  const own = [...entries].filter(([, { key }]) => owners.has(key)).map(([name]) => name);
  const near = nearestFirst(publicName, own, entries.keys());
  return { reason: 'unknown', message: `Unknown ${kindRules[kind].noun} ${quote(publicName)}.${didYouMean(near)}` };
}
