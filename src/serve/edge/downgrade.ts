/** What servers may say and handshake-era clients refuse: schemas and structured content that are not objects, calls that must be tasks. */
import type { Outcome } from '../../base/call/call.ts';
import {
  findList,
  findMember,
  findObject,
  findString,
  isObject,
  type Json,
  type JsonObject,
  withMembers,
  withoutMembers,
} from '../../base/json/json.ts';
import { isResultUri } from '../../front/front.ts';
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

/** A result without our links to long results, for clients that refuse blocks they do not know: its text has the handles. */
export function withoutOwnLinks<T extends Extract<Outcome, { result: unknown }>>(outcome: T): T {
  const content = findList(outcome.result.value, 'content');
  const last = content.at(-1);
  if (!isObject(last) || !isOwnLink(last)) return outcome;
  const kept = content.filter((block) => !isObject(block) || !isOwnLink(block));
  return { ...outcome, result: outcome.result.with({ content: kept }) };
}

function isOwnLink(block: JsonObject): boolean {
  return findMember(block, 'type') === 'resource_link' && isResultUri(findString(block, 'uri') ?? '');
}
