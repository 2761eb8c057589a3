/** Pages of a list of tools as some clients need them: each tool is looked at once a page, however often the page is given. */
import { findList, type Json } from '../base/json.ts';
import { memoize } from '../base/memoize.ts';
import type { Payload } from '../base/payload.ts';

/** `change` gives the same tool when nothing has to change; a page without changes is given as it is. */
export function eachTool(change: (tool: Json) => Json): (page: Payload) => Payload {
  return memoize((page: Payload) => {
    const before = findList(page.value, 'tools');
    const after = before.map(change);
    return after.some((tool, index) => tool !== before[index]) ? page.with({ tools: after }) : page;
  });
}
