/** The meta-tool `use_tool`: passes a call on to the tool it names and returns the answer untouched. */
import { type Call, type CallOutcome, withParts } from '../base/call.ts';
import { findMember, isObject, withMembers } from '../base/json.ts';
import type { Bench } from '../workbench/bench.ts';
import { forwardTool } from './deliver.ts';
import { parseUseTool } from './meta-input.ts';
import { errorResult } from './tool-result.ts';

export async function useTool(bench: Bench, call: Call): Promise<CallOutcome> {
  const given = findMember(call.params, 'arguments');
  const input = parseUseTool(isObject(given) ? given : {});
  if ('problem' in input) return errorResult(input.problem);
  const params = withMembers(call.params, { arguments: input.value.arguments });
  return forwardTool(bench, input.value.tool, withParts(call, { params }));
}
