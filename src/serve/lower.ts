/** What newer servers may say and handshake-era clients refuse: schemas and structured content that are not objects. */
import type { Outcome } from '../base/call.ts';
import { findMember, findObject, isObject, type Json, type JsonObject, withoutMembers } from '../base/json.ts';
import type { Payload } from '../base/payload.ts';

const lowered = new WeakMap<Payload, Payload>();

/** The page of a list without output schemas that are not of type object. Computed once a page. */
export function lowerList(page: Payload): Payload {
  let result = lowered.get(page);
  if (result === undefined) {
    const tools = findMember(page.value, 'tools');
    const list = Array.isArray(tools) ? tools : [];
    result = list.some(hasOddOutput)
      ? page.with({
          tools: list.map((tool) => (hasOddOutput(tool) ? withoutMembers(tool as JsonObject, ['outputSchema']) : tool)),
        })
      : page;
    lowered.set(page, result);
  }
  return result;
}

const plain = new WeakMap<Payload, Payload>();

/** The page of a list for clients that do not know that tools can say how they want to be run. Computed once a page. */
export function withoutExecution(page: Payload): Payload {
  let result = plain.get(page);
  if (result === undefined) {
    const tools = findMember(page.value, 'tools');
    const says = (tool: Json) => isObject(tool) && Object.hasOwn(tool, 'execution');
    result =
      Array.isArray(tools) && tools.some(says)
        ? page.with({ tools: tools.map((tool) => (isObject(tool) ? withoutMembers(tool, ['execution']) : tool)) })
        : page;
    plain.set(page, result);
  }
  return result;
}

function hasOddOutput(tool: Json): boolean {
  if (!isObject(tool)) return false;
  const schema = findObject(tool, 'outputSchema');
  return schema !== undefined && schema.type !== 'object';
}

/** A result whose structured content is no object keeps it as text. */
export function lowerResult(outcome: Outcome): Outcome {
  if ('error' in outcome) return outcome;
  const structured = findMember(outcome.result.value, 'structuredContent');
  if (structured === undefined || isObject(structured)) return outcome;
  const content = findMember(outcome.result.value, 'content');
  const blocks =
    Array.isArray(content) && content.length > 0 ? content : [{ type: 'text', text: JSON.stringify(structured) }];
  return { result: outcome.result.with({ structuredContent: undefined, content: blocks }) };
}
