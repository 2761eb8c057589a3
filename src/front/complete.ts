/** `completion/complete`: what it refers to is taken back to what the server calls it. */
import type { Call, Outcome } from '../base/call.ts';
import { findMember, findObject, findString, withMembers } from '../base/json.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { Bench } from '../workbench/bench.ts';
import { findPublic, type NameSpace } from './find-entry.ts';
import { orRpcFailure } from './rpc-failure.ts';

const mostValues = 100;

export async function complete(bench: Bench, prompts: NameSpace, call: Call): Promise<Outcome> {
  const ref = findObject(call.params, 'ref') ?? {};
  const name = findString(ref, 'name');
  if (findMember(ref, 'type') !== 'ref/prompt' || name === undefined)
    return invalid('"params.ref" must be {"type": "ref/prompt", "name": …}.');
  if (findObject(call.params, 'argument') === undefined) return invalid('"params.argument" must be an object.');
  const found = await findPublic(bench, prompts, name, call);
  if ('error' in found) return found;
  const { address } = found.entry;
  const params = withMembers(call.params, { ref: withMembers(ref, { name: address.name }) });
  return withinLimit(await orRpcFailure(address, () => bench.send(address, { ...call, params })));
}

/** Clients refuse an answer with more values than the protocol allows. */
function withinLimit(outcome: Outcome): Outcome {
  if ('error' in outcome) return outcome;
  const completion = outcome.result.find('completion');
  const values = completion && findMember(completion.value, 'values');
  if (completion === undefined || !Array.isArray(values) || values.length <= mostValues) return outcome;
  const cut = completion.with({ values: values.slice(0, mostValues), hasMore: true });
  return { result: outcome.result.with({ completion: cut }) };
}

function invalid(message: string): Outcome {
  return { error: rpcError(rpcCode.invalidParams, message) };
}
