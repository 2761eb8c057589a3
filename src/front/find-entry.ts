/** From a public name to the entry it stands for, or the error of the protocol that says why there is none. */
import { didYouMean, quote } from '../base/brief.ts';
import type { Call } from '../base/call.ts';
import { nearestFirst } from '../base/nearest.ts';
import { type RpcError, rpcCode, rpcError } from '../base/rpc.ts';
import { type Kind, kindRules } from '../catalog/kind.ts';
import { describeCollision, type NameTable } from '../toolbox/name-table.ts';
import type { Entry } from '../toolbox/toolbox.ts';
import type { Bench } from '../workbench/bench.ts';
import { toCause } from './tool-result.ts';

/** The public names of one kind, and who may own one that is not known yet. */
export interface NameSpace {
  readonly kind: Kind;
  names(): NameTable;
  /** Keys of the servers that this name would belong to, by its form. */
  findOwners(publicName: string): string[];
}

export type Found = { readonly entry: Entry } | { readonly error: RpcError };

export async function findPublic(bench: Bench, space: NameSpace, publicName: string, call: Call): Promise<Found> {
  let entry = space.names().entries.get(publicName);
  if (entry !== undefined) return { entry };
  const unheard = space.findOwners(publicName).filter((key) => bench.statusOf(key).tools === undefined);
  await Promise.all(unheard.map((key) => bench.afterSignIn(key, call)));
  if (unheard.length > 0) bench.startAll(unheard);
  await bench.settled(unheard);
  entry = space.names().entries.get(publicName);
  if (entry !== undefined) return { entry };
  for (const key of unheard) {
    const error = await explainSilence(bench, key, call);
    if (error !== undefined) return { error };
  }
  return { error: explainUnknown(space, publicName) };
}

/** Nothing can be known of a server that never came up: then that is what to say. */
async function explainSilence(bench: Bench, key: string, call: Call): Promise<RpcError | undefined> {
  const { name, state, failure } = bench.statusOf(key);
  if (failure !== undefined) {
    if (failure.code === 'WB1201') await bench.askSignIn(key, call);
    const message = `${toCause(failure, `server '${name}'`)} ${failure.fix}`;
    return rpcError(rpcCode.serverFailed, message, { code: failure.code });
  }
  if (state === 'starting')
    return rpcError(rpcCode.serverFailed, `Server '${name}' is still starting. Try again in a moment.`);
  if (state !== 'disabled') return undefined;
  return rpcError(rpcCode.serverFailed, `Server '${name}' is disabled in the configuration.`, { code: 'WB1016' });
}

function explainUnknown({ kind, names, findOwners }: NameSpace, publicName: string): RpcError {
  const { entries, collisions } = names();
  const claimants = collisions.get(publicName);
  if (claimants !== undefined) return rpcError(rpcCode.invalidParams, describeCollision(publicName, claimants));
  const owners = new Set(findOwners(publicName));
  const own = [...entries].filter(([, { key }]) => owners.has(key)).map(([name]) => name);
  const near = nearestFirst(publicName, own, entries.keys());
  return rpcError(rpcCode.invalidParams, `Unknown ${kindRules[kind].noun} ${quote(publicName)}.${didYouMean(near)}`);
}
