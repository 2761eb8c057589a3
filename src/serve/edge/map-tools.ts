/** Pages of a list of tools as some clients need them: each tool is looked at once a page, however often the page is given. */

import { memoize } from '../../base/async/memoize.ts';
import { findList, type Json } from '../../base/json/json.ts';
import type { RawJson } from '../../base/json/raw-json.ts';

/** `change` gives the same tool when nothing has to change; a page without changes is given as it is. */
export function mapTools(change: (tool: Json) => Json): (page: RawJson) => RawJson {
  return memoize((page: RawJson) => {
    const before = findList(page.value, 'tools');
    const after = before.map(change);
    return after.some((tool, index) => tool !== before[index]) ? page.with({ tools: after }) : page;
  });
}
