/** Pages of a list of tools as some clients need them: each tool is looked at once a page, however often the page is given. */
import { findMember, type Json } from '../base/json.ts';
import type { Payload } from '../base/payload.ts';

/** `change` gives the same tool when nothing has to change; a page without changes is given as it is. */
export function eachTool(change: (tool: Json) => Json): (page: Payload) => Payload {
  const changed = new WeakMap<Payload, Payload>();
  return (page) => {
    let result = changed.get(page);
    if (result === undefined) {
      const tools = findMember(page.value, 'tools');
      const before = Array.isArray(tools) ? tools : [];
      const after = before.map(change);
      result = after.some((tool, index) => tool !== before[index]) ? page.with({ tools: after }) : page;
      changed.set(page, result);
    }
    return result;
  };
}
