import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { buildItemList, emptyListing } from '../../../src/catalog/listing.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { buildToolboxes, findEntry } from '../../../src/toolbox/toolbox.ts';

const limits = { schemaBytes: 100_000, schemaDepth: 50 };
const listing = (...tools: JsonObject[]) => ({
  ...emptyListing,
  tools: buildItemList('tools', tools, { limits }).items,
});
const query = (more: JsonObject = {}): JsonObject => ({
  name: 'query',
  description: 'Asks.',
  inputSchema: {
    type: 'object',
    properties: { sql: { type: 'string' } },
    required: ['sql'],
    additionalProperties: false,
  },
  ...more,
});

function fill(catalog: Record<string, ReturnType<typeof listing>>, more: object = {}) {
  const pg = {
    command: 'pg',
    instances: { eu: { description: 'Old world' }, us: {}, asia: {} },
    instanceArgument: 'region',
    ...more,
  };
  const config = parseConfigValue({ mode: 'meta', mcpServers: { pg } }, { dir: '/', env: {} });
  const [toolbox] = buildToolboxes(config, new Map(Object.entries(catalog))).values();
  if (toolbox === undefined) throw new Error('no toolbox');
  return toolbox;
}
const shown = (toolbox: ReturnType<typeof fill>) =>
  toolbox.entries.tools.map(({ address }) => `${address.server}.${address.name}`);
const choicesOf = (toolbox: ReturnType<typeof fill>, name = 'query') => {
  const entry = findEntry(toolbox, 'tools', { server: 'pg', name });
  const schema = (entry?.item.definition.inputSchema ?? {}) as { properties?: Record<string, { enum?: string[] }> };
  return schema.properties?.region?.enum;
};

describe('the tools of instances', () => {
  const all = {
    'pg/eu': listing(query()),
    'pg/us': listing(query({ description: 'Asks the US.' })),
    'pg/asia': listing(query()),
  };

  it('are shown once, with an argument that has all instances', () => {
    const toolbox = fill(all);
    expect(shown(toolbox)).toEqual(['pg.query']);
    expect(toolbox.entries.tools[0]?.item.definition.inputSchema).toEqual({
      type: 'object',
      properties: {
        region: { type: 'string', enum: ['eu', 'us', 'asia'], description: 'Which instance to use. eu: Old world' },
        sql: { type: 'string' },
      },
      required: ['region', 'sql'],
      additionalProperties: false,
    });
  });

  it('have an optional argument when one instance is the default', () => {
    const [entry] = fill(all, { defaultInstance: 'us' }).entries.tools;
    expect(entry?.item.definition.inputSchema).toMatchObject({
      required: ['sql'],
      properties: { region: { default: 'us' } },
    });
  });

  it('name the instances that have them, and those that were never heard', () => {
    expect(choicesOf(fill({ 'pg/eu': listing(query()), 'pg/us': listing() }))).toEqual(['eu', 'asia']);
  });

  it('leave out an instance that is disabled', () => {
    expect(choicesOf(fill(all, { instances: { eu: {}, us: { disabled: true }, asia: {} } }))).toEqual(['eu', 'asia']);
  });

  it('stay with their instance where they differ', () => {
    const other = query({ inputSchema: { type: 'object', properties: { sql: { type: 'integer' } } } });
    const toolbox = fill({ ...all, 'pg/us': listing(other) });
    expect(shown(toolbox)).toEqual(['pg.query', 'pg-us.query']);
    expect(choicesOf(toolbox)).toEqual(['eu', 'asia']);
    expect(toolbox.apart).toMatchObject([
      { placement: { key: 'pg/us' }, why: "it differs from that of the instance 'eu'" },
    ]);
  });

  it('stay with their instances where they have the argument already, or take no further one', () => {
    const region = query({ name: 'a', inputSchema: { type: 'object', properties: { region: {} } } });
    const closed = query({
      name: 'b',
      inputSchema: { type: 'object', allOf: [{ properties: { x: {} }, additionalProperties: false }] },
    });
    const toolbox = fill({ 'pg/eu': listing(region, closed), 'pg/us': listing(region), 'pg/asia': listing() });
    expect(shown(toolbox)).toEqual(['pg-eu.a', 'pg-eu.b', 'pg-us.a']);
    expect(toolbox.apart.map(({ why }) => why)).toEqual([
      expect.stringContaining('choose another "instanceArgument"'),
      expect.stringContaining('choose another "instanceArgument"'),
      'its schema does not allow for another argument',
    ]);
  });

  it('can be renamed, and the instance can be fixed', () => {
    const tools = { query: { name: 'ask_eu', arguments: { region: { value: 'eu' } } } };
    const toolbox = fill(all, { tools });
    expect(shown(toolbox)).toEqual(['pg.ask_eu']);
    expect(JSON.stringify(toolbox.entries.tools[0]?.item.definition)).not.toContain('region');
  });

  it('are the same objects as long as nothing changes', () => {
    const config = { 'pg/eu': all['pg/eu'], 'pg/us': all['pg/us'], 'pg/asia': all['pg/asia'] };
    const file = {
      mode: 'meta',
      mcpServers: { pg: { command: 'pg', instances: { eu: {}, us: {}, asia: {} } } },
    } as const;
    const parsed = parseConfigValue(file, { dir: '/', env: {} });
    const once = [...buildToolboxes(parsed, new Map(Object.entries(config))).values()][0];
    const again = [...buildToolboxes(parsed, new Map(Object.entries(config))).values()][0];
    expect(again?.entries.tools[0]?.item).toBe(once?.entries.tools[0]?.item);
  });
});
