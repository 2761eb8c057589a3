/** What servers may say and handshake-era clients refuse: schemas and structured content that are not objects, calls that must be tasks. */
import type { Outcome } from '../../base/call/call.ts';
import { findMember, findObject, isObject, type Json, withMembers, withoutMembers } from '../../base/json/json.ts';
import { mapTools } from './map-tools.ts';

/**
 * The page of a list for clients of this era: without output schemas that are not of type object, and without tools that have to
 * be run as tasks, because we run those for clients that do not.
 */
export const downgradeList = mapTools(lowerTool);

function lowerTool(tool: Json): Json {
  if (!isObject(tool)) return tool;
  const schema = findObject(tool, 'outputSchema');
  const isOdd = schema !== undefined && schema.type !== 'object';
  const execution = findObject(tool, 'execution');
  const isTask = execution?.taskSupport === 'required';
  if (!isOdd && !isTask) return tool;
  return withMembers(tool, {
    ...(isOdd ? { outputSchema: undefined } : {}),
    ...(isTask ? { execution: { ...execution, taskSupport: 'optional' } } : {}),
  });
}

/** The page of a list for clients that do not know that tools can say how they want to be run. */
export const withoutExecution = mapTools((tool) =>
  isObject(tool) && Object.hasOwn(tool, 'execution') ? withoutMembers(tool, ['execution']) : tool,
);

/** A result whose structured content is not an object keeps it as text. */
export function downgradeResult(outcome: Outcome): Outcome {
  if ('error' in outcome) return outcome;
  const structured = findMember(outcome.result.value, 'structuredContent');
  if (structured === undefined || isObject(structured)) return outcome;
  const content = findMember(outcome.result.value, 'content');
  const blocks =
    Array.isArray(content) && content.length > 0 ? content : [{ type: 'text', text: JSON.stringify(structured) }];
  return { result: outcome.result.with({ structuredContent: undefined, content: blocks }) };
}
