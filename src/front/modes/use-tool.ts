/** The meta-tool `use_tool`: passes a call on to the tool it names and returns the answer untouched. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findMember, isObject, type Json } from '../../base/json/json.ts';
import type { Address } from '../../toolbox/toolbox.ts';
import { correctUseTool, correctUseToolInput, withCorrection } from '../calls/correction.ts';
import { callTool, type Explanations } from '../calls/forward-call.ts';
import { toPlaceText } from '../calls/server-failure.ts';
import { errorResult } from '../calls/tool-result.ts';
import type { SessionContext } from '../front.ts';
import { parseUseTool } from '../model-text/meta-input.ts';

export interface UseOptions extends Pick<Explanations, 'describe'> {
  /** The tool that a value names, where it is not an address in three parts. */
  readTool?(value: Json | undefined): Address | undefined;
  /** The call to make instead, when nothing exists at the address. */
  correct?(tool: Address, usual: string | undefined): Promise<string | undefined>;
}

export function useTool(
  context: SessionContext,
  call: Call,
  { readTool, correct, describe }: UseOptions = {},
): Promise<CallOutcome> {
  const { bench } = context;
  const given = findMember(call.params, 'arguments');
  const input = parseUseTool(isObject(given) ? given : {}, readTool);
  if ('problem' in input) {
    const correction = correctUseToolInput(bench, isObject(given) ? given : {});
    return Promise.resolve(errorResult(withCorrection(input.problem, correction)));
  }
  const { tool, arguments: args } = input.value;
  const own = { ...call, params: { ...call.params, arguments: args } };
  return callTool(context, tool, own, {
    correct() {
      const usual = correctUseTool(bench, { ...tool, arguments: args });
      return correct === undefined ? usual : correct(tool, usual);
    },
    ...(describe === undefined ? {} : { describe }),
    // The model knows only that it called `use_tool`: the text says where the error comes from.
    toOutcome: (error) => ({ error: { ...error, message: `${toPlaceText(tool)} Error: ${error.message}` } }),
  });
}
