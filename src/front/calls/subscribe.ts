/** Watches a resource: the server gets its own URI, and the client is told about updates under the URI that it knows. */
import type { Watch } from '../../base/call/watch.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { SessionContext, Subscriber } from '../front.ts';
import { uriMapOf } from '../uris/public-uris.ts';
import { findResource, type ResourceNames } from './find-resource.ts';
import { describeFailure } from './tool-result.ts';

export async function subscribe(
  context: SessionContext,
  names: ResourceNames,
  uri: string,
  { client, listener }: Subscriber,
): Promise<Watch> {
  const { bench } = context;
  const found = await findResource(context, names, uri);
  if ('error' in found) return found;
  const { place, uri: own } = found;
  const key = bench.snapshot.toolboxes.get(place.toolbox)?.placements.get(place.server)?.key;
  const toPublic = (updated: string) =>
    updated === own || key === undefined ? uri : uriMapOf(bench).wrap(key, updated);
  try {
    return await bench.watch(place, own, { client, listener: (updated) => listener(toPublic(updated)) });
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    return { error: rpcError(rpcCode.serverFailed, describeFailure(error, place), { code: error.code }) };
  }
}
