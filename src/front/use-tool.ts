/** The meta-tool `use_tool`: passes a call on to the tool it names and returns the answer untouched. */
import { type Call, type CallOutcome, withParts } from '../base/call.ts';
import { Eventual } from '../base/eventual.ts';
import { findMember, isObject } from '../base/json.ts';
import type { Bench } from '../workbench/bench.ts';
import { forwardTool } from './deliver.ts';
import { parseUseTool } from './meta-input.ts';
import { errorResult } from './tool-result.ts';

export function useTool(bench: Bench, call: Call): Eventual<CallOutcome> {
  const given = findMember(call.params, 'arguments');
  const input = parseUseTool(isObject(given) ? given : {});
  if ('problem' in input) return Eventual.of(errorResult(input.problem));
  const params = { ...call.params, arguments: input.value.arguments };
  return forwardTool(bench, input.value.tool, withParts(call, { params }));
}
