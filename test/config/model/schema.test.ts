import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { toJsonSchema } from '../../../src/config/docs/to-json-schema.ts';
import { toReference } from '../../../src/config/docs/to-reference.ts';
import { type ConfigFile, configShape, serverShape, toolboxShape } from '../../../src/config/model/schema.ts';
import { ignoredKeys, understoodKeys } from '../../../src/config/read/foreign.ts';
import { parse } from '../support.ts';

const schema = toJsonSchema() as JsonObject & { $defs: Record<string, JsonObject>; properties: JsonObject };

describe('the JSON Schema', () => {
  it('has every key with type, limits, default and text', () => {
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      properties: {
        mode: { type: 'string', enum: ['meta', 'dynamic', 'flat', 'search', 'auto'] },
        maxNameLength: { type: 'integer', minimum: 16, maximum: 128 },
        safeNames: { type: 'boolean', default: false },
        mcpServers: { type: 'object', additionalProperties: { $ref: '#/$defs/server' } },
        toolboxes: { type: 'object', additionalProperties: { $ref: '#/$defs/toolbox' } },
      },
      $defs: {
        server: {
          properties: {
            args: { type: 'array', items: { type: 'string' } },
            envFile: { anyOf: [{ type: 'string' }, { type: 'array' }] },
            timeoutMs: { default: 600_000 },
            serverUrl: { deprecated: true },
          },
          not: { required: ['command', 'url'] },
        },
        toolbox: { properties: { servers: { type: 'array' } } },
      },
    });
  });

  it.each([
    ['configuration', configShape.members, schema.properties],
    ['server', serverShape.members, schema.$defs.server?.properties],
    ['toolbox', toolboxShape.members, schema.$defs.toolbox?.properties],
  ])('describes every key of a %s', (_, members, properties) => {
    expect(Object.keys(properties as JsonObject)).toEqual(expect.arrayContaining(Object.keys(members)));
    for (const property of Object.values(properties as JsonObject)) {
      expect(isObject(property) && (property.description ?? property.$ref)).toBeTruthy();
    }
  });

  it('is JSON', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });
});

describe('keys of other clients', () => {
  it('never hide one of ours', () => {
    for (const key of [...understoodKeys.keys(), ...ignoredKeys.keys()])
      expect(Object.hasOwn(serverShape.members, key)).toBe(false);
  });
});

describe('the reference page', () => {
  const page = toReference();

  it('has a row for every key', () => {
    for (const members of [configShape.members, serverShape.members, toolboxShape.members])
      for (const key of Object.keys(members)) expect(page).toContain(`| \`${key}\` |`);
    for (const key of [...understoodKeys.keys(), ...ignoredKeys.keys()]) expect(page).toContain(`| \`${key}\` |`);
  });

  it('has examples that can be loaded', () => {
    const examples = [...page.matchAll(/```jsonc\n([\s\S]*?)\n```/g)].map(([, text]) => text ?? '');
    expect(examples).toHaveLength(3);
    for (const text of examples) expect(parse(text, { env: { GITHUB_TOKEN: 'x' } }).notes).toEqual([]);
  });
});

describe('the type of a file', () => {
  it('knows the keys', () => {
    const file: ConfigFile = {
      mode: 'flat',
      mcpServers: { a: { command: 'x', args: ['y'], envFile: ['.env'], type: 'stdio', disabled: true } },
      toolboxes: { t: { servers: ['a'] } },
    };
    // @ts-expect-error a number is no mode
    const wrong: ConfigFile = { mode: 1 };
    expect([parse(file).mode, wrong.mode]).toEqual(['flat', 1]);
  });
});
