/** `completion/complete`: the server gets the reference by its own name or URI. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findMember, findObject, findString, type JsonObject, withMembers } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { ServerPlace } from '../../workbench/view/workbench-view.ts';
import type { SessionContext } from '../front.ts';
import { findPublicOrError, type NameSpace } from './find-entry.ts';
import { findResource, type ResourceNames } from './find-resource.ts';
import { callEntry } from './forward-call.ts';

const maxValues = 100;

export type Referable = ResourceNames & { readonly prompts: NameSpace };

export async function complete(context: SessionContext, names: Referable, call: Call): Promise<CallOutcome> {
  const ref = findObject(call.params, 'ref') ?? {};
  if (findObject(call.params, 'argument') === undefined)
    return { error: rpcError(rpcCode.invalidParams, '"params.argument" must be an object.') };
  const found = await findReferred(context, names, ref, call);
  if ('error' in found) return found;
  const { place, own } = found;
  const params = withMembers(call.params, { ref: withMembers(ref, own) });
  return withinLimit(await callEntry(context, place, { ...call, params }));
}

/** The server that is meant, and its own name or URI for the reference. */
async function findReferred(
  context: SessionContext,
  names: Referable,
  ref: JsonObject,
  call: Call,
): Promise<{ place: ServerPlace; own: JsonObject } | { error: RpcError }> {
  const type = findMember(ref, 'type');
  const name = findString(ref, 'name');
  const uri = findString(ref, 'uri');
  if (type === 'ref/prompt' && name !== undefined) {
    const found = await findPublicOrError(context.bench, names.prompts, name, call);
    if ('error' in found) return found;
    const { address } = found.entry;
    return { place: address, own: { name: address.name } };
  }
  if (type === 'ref/resource' && uri !== undefined) {
    const found = await findResource(context, names, uri);
    return 'error' in found ? found : { place: found.place, own: { uri: found.uri } };
  }
  const forms = '{"type": "ref/prompt", "name": …} or {"type": "ref/resource", "uri": …}';
  return { error: rpcError(rpcCode.invalidParams, `"params.ref" must be ${forms}.`) };
}

/** Clients refuse an answer with more values than the protocol allows. */
function withinLimit(outcome: CallOutcome): CallOutcome {
  if (!('result' in outcome)) return outcome;
  const completion = outcome.result.find('completion');
  const values = completion && findMember(completion.value, 'values');
  if (completion === undefined || !Array.isArray(values) || values.length <= maxValues) return outcome;
  const cut = completion.with({ values: values.slice(0, maxValues), hasMore: true });
  return { result: outcome.result.with({ completion: cut }) };
}
