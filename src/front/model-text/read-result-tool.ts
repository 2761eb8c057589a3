/** The definition of `read_result`, which is listed where long results are cut to a preview. */
import type { JsonObject } from '../../base/json/json.ts';
import type { Config } from '../../config/model/config.ts';
import { maxResultTokens, readResultName } from '../../config/model/result-limit.ts';

/** Short, because a client pays for it with each request: a preview shows the call that reads on. */
export const readResultTool: JsonObject = {
  name: readResultName,
  title: 'Read more of a result',
  description: 'More of a cut result: a range of lines ("1-200"), grep, or a JSON path.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string' },
      range: { type: 'string' },
      grep: { type: 'string' },
      path: { type: 'string' },
    },
    required: ['handle'],
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** Our own tools for results, in the modes that list others of our own or of servers. */
export function resultTools(config: Pick<Config, 'mode' | 'results'>): readonly JsonObject[] {
  return maxResultTokens(config) > 0 ? [readResultTool] : [];
}
