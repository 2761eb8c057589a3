/** The definition of `read_result`, which is listed where long results are cut to a preview. */
import type { JsonObject } from '../../base/json/json.ts';
import type { Config } from '../../config/model/config.ts';
import { maxResultTokens, readResultName } from '../../config/model/result-limit.ts';

export const readResultTool: JsonObject = {
  name: readResultName,
  title: 'Read more of a result',
  description: 'Reads more of a result that was cut: a range, lines that match grep, or values at a JSON path.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string' },
      range: { type: 'string', description: 'lines 1-200 or chars 0-9000' },
      grep: { type: 'string' },
      path: { type: 'string', description: '$.items[0:20].name' },
    },
    required: ['handle'],
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** Our own tools for results, in the modes that list others of our own or of servers. */
export function resultTools(config: Pick<Config, 'mode' | 'results'>): readonly JsonObject[] {
  return maxResultTokens(config) > 0 ? [readResultTool] : [];
}
