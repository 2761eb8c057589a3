/** The definition of `read_result`, which is listed where long results are cut to a preview. */
import type { JsonObject } from '../../base/json/json.ts';
import type { Config } from '../../config/model/config.ts';
import { maxResultTokens, readResultName } from '../../config/model/result-limit.ts';

export const readResultTool: JsonObject = {
  name: readResultName,
  title: 'Read more of a result',
  description:
    'Reads more of a result that was cut to a preview: the range, the lines that match grep (a regular expression), or the values at a JSON path.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'From the preview.' },
      range: { type: 'string', description: 'Lines "1-200", or "chars 0-20000".' },
      grep: { type: 'string' },
      path: { type: 'string', description: '$.items[0:20].name' },
    },
    required: ['handle'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** Our own tools for results, in the modes that list others of our own or of servers. */
export function resultTools(config: Config): readonly JsonObject[] {
  return maxResultTokens(config) > 0 ? [readResultTool] : [];
}
