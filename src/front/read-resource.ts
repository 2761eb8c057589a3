/** `resources/read`: the URI is taken back to the server's own, and those of the answer are shown as the client knows them. */
import type { Call, CallOutcome } from '../base/call.ts';
import { findString, withMembers } from '../base/json.ts';
import type { Bench } from '../workbench/bench.ts';
import { sendPublic } from './deliver.ts';
import { findResource, type ResourceNames } from './find-resource.ts';
import { orRpcFailure } from './rpc-failure.ts';

export async function readResource(bench: Bench, names: ResourceNames, call: Call): Promise<CallOutcome> {
  const found = await findResource(bench, names, findString(call.params, 'uri') ?? '');
  if ('error' in found) return found;
  const { place, uri } = found;
  return orRpcFailure(place, () => sendPublic(bench, place, { ...call, params: withMembers(call.params, { uri }) }));
}
