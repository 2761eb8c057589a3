/** The meta-tool `use_tool`: passes a call on to the tool it names and returns the answer untouched. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findMember, isObject } from '../../base/json/json.ts';
import { correctUseTool, correctUseToolInput, withCorrection } from '../calls/correction.ts';
import { callTool } from '../calls/forward-call.ts';
import { toPlaceText } from '../calls/server-failure.ts';
import { errorResult } from '../calls/tool-result.ts';
import type { SessionContext } from '../front.ts';
import { parseUseTool } from '../model-text/meta-input.ts';

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
  return callTool(context, tool, own, {
    correct: () => correctUseTool(bench, { ...tool, arguments: args }),
    // The model knows only that it called `use_tool`: the text says where the error comes from.
    toOutcome: (error) => ({ error: { ...error, message: `${toPlaceText(tool)} Error: ${error.message}` } }),
  });
}
