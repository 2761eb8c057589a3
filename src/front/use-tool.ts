/** The meta-tool `use_tool`: passes a call on to the tool it names and returns the answer untouched. */
import type { Call, CallOutcome } from '../base/call.ts';
import { Eventual } from '../base/eventual.ts';
import { findMember, isObject } from '../base/json.ts';
import type { RpcError } from '../base/rpc.ts';
import type { Address } from '../toolbox/toolbox.ts';
import type { Bench } from '../workbench/bench.ts';
import { correctUseTool, correctUseToolInput, withCorrection } from './correction.ts';
import { forwardTool } from './deliver.ts';
import { parseUseTool } from './meta-input.ts';
import { toPlaceText } from './server-failure.ts';
import { errorResult } from './tool-result.ts';

export function useTool(bench: Bench, call: Call): Eventual<CallOutcome> {
  const given = findMember(call.params, 'arguments');
  const input = parseUseTool(isObject(given) ? given : {});
  if ('problem' in input) {
    const correction = correctUseToolInput(bench, isObject(given) ? given : {});
    return Eventual.of(errorResult(withCorrection(input.problem, correction)));
  }
  const { tool, arguments: args } = input.value;
  const params = { ...call.params, arguments: args };
  return forwardTool(
    bench,
    tool,
    { ...call, params },
    {
      correct: () => correctUseTool(bench, { ...tool, arguments: args }),
      toError: (error) => named(tool, error),
    },
  );
}

/** The server's error with its code and text, and where it comes from: the model knows only that it called `use_tool`. */
function named(tool: Address, error: RpcError): RpcError {
  return { ...error, message: `${toPlaceText(tool)} Error: ${error.message}` };
}
