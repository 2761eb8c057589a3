/** `prompts/get`: the public name is taken back to the server's own. A failure is an error: a prompt has no result that could tell it. */
import type { Call, CallOutcome } from '../base/call.ts';
import { findString } from '../base/json.ts';
import type { Bench } from '../workbench/bench.ts';
import { forwardPublic } from './deliver.ts';
import { findPublic, type NameSpace } from './find-entry.ts';
import { orRpcFailure } from './rpc-failure.ts';

export async function getPrompt(bench: Bench, prompts: NameSpace, call: Call): Promise<CallOutcome> {
  const found = await findPublic(bench, prompts, findString(call.params, 'name') ?? '', call);
  if ('error' in found) return found;
  const { address } = found.entry;
  return orRpcFailure(address, () => forwardPublic(bench, address, call, 'prompts'));
}
