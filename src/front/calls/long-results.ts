/** Long results of tools: cut to a preview on their way to the client, and read by it afterwards. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { TaskRefused } from '../../base/call/task.ts';
import { findMember, findObject, findString, isObject } from '../../base/json/json.ts';
import { maxResultTokens, readResultName } from '../../config/model/result-limit.ts';
import { fitResult } from '../../results/fit-result.ts';
import { readHeldResource, readResult } from '../../results/read-result.ts';
import { isResultUri } from '../../results/result-uri.ts';
import type { Address } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { SessionContext } from '../front.ts';
import { useToolName } from '../model-text/meta-tools.ts';

/** A result with fewer characters than it may have tokens fits, and is not looked at. */
export function fitOutcome(bench: WorkbenchView, address: Address, call: Call, outcome: CallOutcome): CallOutcome {
  const maxTokens = maxResultTokens(bench.config);
  if (maxTokens === 0 || !('result' in outcome) || outcome.result.text.length <= maxTokens) return outcome;
  try {
    const result = fitResult(outcome.result, {
      maxTokens,
      keepsStructured: showsOutputSchema(bench, address, call),
      name: address.name,
      hold: (part) => bench.results.hold(call.client, part),
      drop: (handle) => bench.results.drop(handle),
    });
    return result === outcome.result ? outcome : { ...outcome, result };
  } catch (error) {
    // A result that cannot be cut is better than none.
    bench.log.warn('a long result could not be cut and was passed on whole', { fault: String(error) });
    return outcome;
  }
}

/** A client sees the output schemas of the tools in its list, not of those that it reaches through `use_tool`. */
function showsOutputSchema({ snapshot }: WorkbenchView, { toolbox, server, name }: Address, { params }: Call): boolean {
  if (findMember(params, 'name') === useToolName) return false;
  const entry = snapshot.toolboxes.get(toolbox)?.index.tools.get(server)?.get(name);
  return entry !== undefined && findObject(entry.item.definition, 'outputSchema') !== undefined;
}

/** Whether a call is for `read_result`, where that is listed. */
export function isReadResult({ config }: WorkbenchView, { params }: Call): boolean {
  return findMember(params, 'name') === readResultName && maxResultTokens(config) > 0;
}

export function callReadResult({ bench }: SessionContext, call: Call): Promise<CallOutcome> {
  if (call.task?.wish !== undefined) throw new TaskRefused(readResultName);
  const given = findMember(call.params, 'arguments');
  return readResult(isObject(given) ? given : {}, {
    store: bench.results,
    client: call.client,
    maxTokens: maxResultTokens(bench.config),
  });
}

/** Whether a URI is that of a held result, where results are held. */
export function isHeldResource({ config }: WorkbenchView, uri: string): boolean {
  return isResultUri(uri) && maxResultTokens(config) > 0;
}

export function readResultResource({ bench }: SessionContext, call: Call): Promise<CallOutcome> {
  return readHeldResource(findString(call.params, 'uri') ?? '', { store: bench.results, client: call.client });
}
