/**
 * The tools of mode `search`, as models read them: the same for every client and at every moment of one configuration. A client
 * keeps the list in its prompt, so every word costs with every request.
 */
import { findObject, type JsonObject, withMembers } from '../../base/json/json.ts';
import { alwaysShownMeta } from '../../clients/client-table.ts';
import type { Config } from '../../config/model/config.ts';
import { openToolboxName, resultSize, useToolName } from './meta-tools.ts';
import { resultTools } from './read-result-tool.ts';

export const searchToolsName = 'search_tools';
export const describeToolsName = 'describe_tools';

const reads: JsonObject = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** How many toolboxes the description of the search names: what is behind it must be visible where it is called. */
const maxNamed = 5;

/** Bounds that are obvious are left out of the schemas: the input is checked strictly in any case. */
const address: JsonObject = {
  type: 'object',
  properties: { toolbox: { type: 'string' }, server: { type: 'string' }, name: { type: 'string' } },
};

export function searchModeTools(config: Pick<Config, 'toolboxes' | 'mode' | 'results'>): JsonObject[] {
  const tools = [searchToolsTool(config), describeToolsTool, openToolboxTool, useToolTool, ...resultTools(config)];
  // Behind the search of a client, a search of ours would not be found.
  return tools.map((tool) => withMembers(tool, { _meta: { ...findObject(tool, '_meta'), ...alwaysShownMeta } }));
}

function searchToolsTool({ toolboxes }: Pick<Config, 'toolboxes'>): JsonObject {
  const names = [...toolboxes.keys()];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return {
    name: searchToolsName,
    title: 'Search tools',
    description: `Finds tools of ${names.slice(0, maxNamed).join(', ')}${more}. Query: verb + object + service ("slack post message"), one per need. Hits: a/b.c() is toolbox a, server b, name c; b.c() is toolbox b, server b.`,
    inputSchema: {
      type: 'object',
      properties: {
        queries: { type: 'array', items: { type: 'string' }, maxItems: 4 },
        toolbox: { type: 'string' },
        limit: { type: 'integer', maximum: 20, default: 5 },
      },
      required: ['queries'],
    },
    annotations: reads,
  };
}

const describeToolsTool: JsonObject = {
  name: describeToolsName,
  title: 'Describe tools',
  description: 'Parameters with docs; format json is the whole definition.',
  inputSchema: {
    type: 'object',
    properties: {
      tools: { type: 'array', items: address, maxItems: 20 },
      format: { enum: ['ts', 'json'] },
    },
    required: ['tools'],
  },
  annotations: reads,
  _meta: resultSize,
};

const openToolboxTool: JsonObject = {
  name: openToolboxName,
  title: 'Browse a toolbox',
  description: 'Lists a toolbox. filter: words or glob.',
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
  description: 'Calls a found tool; returns its result.',
  inputSchema: {
    type: 'object',
    properties: { tool: { ...address, required: ['toolbox', 'server', 'name'] }, arguments: { type: 'object' } },
    required: ['tool'],
  },
  // The effect of the called tool is unknown here, so the client is told to expect the worst.
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  _meta: resultSize,
};
