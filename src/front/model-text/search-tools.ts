/**
 * The tools of mode `search`, as models read them: the same for every client and at every moment of one configuration. A client
 * keeps the list in its prompt, so every word costs with every request.
 */
import type { JsonObject } from '../../base/json/json.ts';
import type { Config } from '../../config/model/config.ts';
import { openToolboxName, useToolName } from './meta-tools.ts';
import { resultTools } from './read-result-tool.ts';

export const searchToolsName = 'search_tools';
export const describeToolsName = 'describe_tools';

/** Lets a client that knows this key take large results whole. */
const resultSize: JsonObject = { 'anthropic/maxResultSizeChars': 500_000 };
const reads: JsonObject = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** How many toolboxes the description of the search names: what is behind it must be visible where it is called. */
const maxNamed = 8;

const address: JsonObject = {
  type: 'object',
  properties: { toolbox: { type: 'string' }, server: { type: 'string' }, name: { type: 'string' } },
  required: ['toolbox', 'server', 'name'],
};

export function searchModeTools(config: Pick<Config, 'toolboxes' | 'mode' | 'results'>): JsonObject[] {
  return [searchToolsTool(config), describeToolsTool, openToolboxTool, useToolTool, ...resultTools(config)];
}

function searchToolsTool({ toolboxes }: Pick<Config, 'toolboxes'>): JsonObject {
  const names = [...toolboxes.keys()];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return {
    name: searchToolsName,
    title: 'Search tools',
    description: `Finds tools of ${names.slice(0, maxNamed).join(', ')}${more}. A query is verb + object + service, e.g. "slack post message"; one query per need. A line a/b.c(…) is toolbox a, server b, tool c; b.c(…) is toolbox b, server b.`,
    inputSchema: {
      type: 'object',
      properties: {
        queries: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 4 },
        toolbox: { type: 'string' },
        limit: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
      },
      required: ['queries'],
    },
    annotations: reads,
  };
}

const describeToolsTool: JsonObject = {
  name: describeToolsName,
  title: 'Describe tools',
  description: 'Parameters of tools with their docs; "json" is the whole definition.',
  inputSchema: {
    type: 'object',
    properties: {
      tools: { type: 'array', items: address, minItems: 1, maxItems: 20 },
      format: { enum: ['ts', 'json'], default: 'ts' },
    },
    required: ['tools'],
  },
  annotations: reads,
  _meta: resultSize,
};

const openToolboxTool: JsonObject = {
  name: openToolboxName,
  title: 'Browse a toolbox',
  description: 'Lists the tools of a toolbox. filter: words or a glob.',
  inputSchema: {
    type: 'object',
    properties: { toolbox: { type: 'string' }, filter: { type: 'string' }, cursor: { type: 'string' } },
    required: ['toolbox'],
  },
  annotations: reads,
};

const useToolTool: JsonObject = {
  name: useToolName,
  title: 'Use a tool',
  description: 'Calls a tool that was found and returns its result.',
  inputSchema: {
    type: 'object',
    properties: { tool: address, arguments: { type: 'object' } },
    required: ['tool'],
  },
  // The effect of the called tool is unknown here, so the client is told to expect the worst.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  _meta: resultSize,
};
