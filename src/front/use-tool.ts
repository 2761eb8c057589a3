/** The meta-tool `use_tool`: passes a call on to the tool it names and returns the answer untouched. */
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { findMember, isObject, withMembers } from '../base/json.ts';
import type { Bench } from '../workbench/bench.ts';
import { forwardPublic } from './deliver.ts';
import { parseUseTool } from './meta-input.ts';
import { describeFailure, errorResult } from './tool-result.ts';

export async function useTool(bench: Bench, call: Call): Promise<CallOutcome> {
  const given = findMember(call.params, 'arguments');
  const input = parseUseTool(isObject(given) ? given : {});
  if ('problem' in input) return errorResult(input.problem);
  const { tool } = input.value;
  try {
    return await forwardPublic(bench, tool, {
      ...call,
      params: withMembers(call.params, { arguments: input.value.arguments }),
    });
  } catch (error) {
    if (error instanceof WorkbenchError) return errorResult(describeFailure(error, tool));
    throw error;
  }
}
