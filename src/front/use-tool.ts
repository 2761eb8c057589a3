/** The meta-tool `use_tool`: passes a call on to the tool it names and returns the answer untouched. */
import type { Call, CallOutcome } from '../base/call.ts';
import { findMember, isObject } from '../base/json.ts';
import { correctUseTool, correctUseToolInput, withCorrection } from './correction.ts';
import { forwardTool } from './deliver.ts';
import type { SessionContext } from './front.ts';
import { parseUseTool } from './meta-input.ts';
import { toPlaceText } from './server-failure.ts';
import { errorResult } from './tool-result.ts';

export function useTool(context: SessionContext, call: Call): Promise<CallOutcome> {
  const { bench } = context;
  const given = findMember(call.params, 'arguments');
  const input = parseUseTool(isObject(given) ? given : {});
  if ('problem' in input) {
    const correction = correctUseToolInput(bench, isObject(given) ? given : {});
    return Promise.resolve(errorResult(withCorrection(input.problem, correction)));
  }
  const { tool, arguments: args } = input.value;
  const own = { ...call, params: { ...call.params, arguments: args } };
  return forwardTool(context, tool, own, {
    correct: () => correctUseTool(bench, { ...tool, arguments: args }),
    // The model knows only that it called `use_tool`: the text says where the error comes from.
    toOutcome: (error) => ({ error: { ...error, message: `${toPlaceText(tool)} Error: ${error.message}` } }),
  });
}
