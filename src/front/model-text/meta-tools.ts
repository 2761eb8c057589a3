/** The definitions of `open_toolbox` and `use_tool`, as models read them. Constant for one configuration. */
import type { JsonObject } from '../../base/json/json.ts';
import type { Config } from '../../config/model/config.ts';
import { fitToolboxes } from './instructions.ts';

export const openToolboxName = 'open_toolbox';
export const useToolName = 'use_tool';

/** Some clients cut descriptions at 2 KiB. */
const descriptionBytes = 1_600;
/** Lets a client that knows this key take large results whole. */
export const resultSize: JsonObject = { 'anthropic/maxResultSizeChars': 500_000 };

export function openToolboxTool(config: Config): JsonObject {
  return {
    name: openToolboxName,
    title: 'Open a toolbox',
    description: `Opens a toolbox and returns its tools with their input schemas. Harmless to repeat.\nToolboxes:\n${fitToolboxes(config, descriptionBytes)}`,
    inputSchema: {
      type: 'object',
      properties: { toolbox: { type: 'string', minLength: 1, description: 'Name of the toolbox.' } },
      required: ['toolbox'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    _meta: resultSize,
  };
}

export const useToolTool: JsonObject = {
  name: useToolName,
  title: 'Use a tool of a toolbox',
  description:
    'Calls a tool of a toolbox and returns its result unchanged. Take "toolbox", "server" and "name" from the answer of open_toolbox, and give the arguments that the tool\'s inputSchema asks for.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: {
        type: 'object',
        description: 'Which tool.',
        properties: {
          toolbox: { type: 'string', minLength: 1, description: 'Toolbox the tool is in.' },
          server: { type: 'string', minLength: 1, description: 'Server that provides the tool.' },
          name: { type: 'string', minLength: 1, description: 'Name of the tool, as open_toolbox gives it.' },
        },
        required: ['toolbox', 'server', 'name'],
        additionalProperties: false,
      },
      arguments: { type: 'object', description: 'Arguments of the tool.', additionalProperties: true },
    },
    required: ['tool'],
    additionalProperties: false,
  },
  // The effect of the called tool is unknown here, so the client is told to expect the worst.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  _meta: resultSize,
};
