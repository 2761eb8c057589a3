import { describe, expect, it } from 'vitest';
import { findParamHeaders, withoutInvalidParamHeaders } from '../../../src/base/call/param-headers.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';

const annotated = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name }) as JsonObject;
const withProperties = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('the annotations of an input schema', () => {
  it('name a header and the place of its value, at any depth of properties', () => {
    const schema = withProperties({
      region: annotated('Region'),
      deep: withProperties({ 'a.b': annotated('X-1', 'integer'), properties: annotated('flag', 'boolean') }),
      plain: { type: 'string' },
    });
    expect(findParamHeaders(schema)).toMatchObject([
      { header: 'mcp-param-region', path: ['region'] },
      { header: 'mcp-param-x-1', path: ['deep', 'a.b'] },
      { header: 'mcp-param-flag', path: ['deep', 'properties'] },
    ]);
    expect(withoutInvalidParamHeaders(schema)).toBe(schema);
  });

  it.each([
    ['an empty name', annotated('')],
    ['a name with a space', annotated('a b')],
    ['a name with a line break', annotated('a\r\nb')],
    ['a name with a colon', annotated('a:b')],
    ['a name beyond ASCII', annotated('größe')],
    ['a name that is no text', annotated(3)],
    ['a number', annotated('A', 'number')],
    ['an object', annotated('A', 'object')],
    ['several types', annotated('A', ['string', 'null'])],
    ['no type', { 'x-mcp-header': 'A' }],
  ])('do not hold with %s, and are taken away', (_, property) => {
    const { 'x-mcp-header': __, ...rest } = property as JsonObject;
    const schema = withProperties({ a: property as JsonObject, b: annotated('Kept') });
    expect(findParamHeaders(schema).map(({ header }) => header)).toEqual(['mcp-param-kept']);
    expect(withoutInvalidParamHeaders(schema)).toEqual(withProperties({ a: rest, b: annotated('Kept') }));
  });

  it('do not hold when two have the same name, whatever the case', () => {
    const schema = withProperties({
      a: annotated('Same'),
      b: withProperties({ c: annotated('sAME') }),
      d: annotated('D'),
    });
    expect(findParamHeaders(schema)).toMatchObject([{ path: ['d'] }]);
    expect(JSON.stringify(withoutInvalidParamHeaders(schema)).match(/x-mcp-header/g)).toHaveLength(1);
  });

  it.each([
    ['the root', annotated('A')],
    ['items', withProperties({ a: { type: 'array', items: annotated('A') } })],
    ['prefixItems', withProperties({ a: { type: 'array', prefixItems: [annotated('A')] } })],
    ['additionalProperties', { type: 'object', additionalProperties: annotated('A') }],
    ['patternProperties', { type: 'object', patternProperties: { x: annotated('A') } }],
    ['anyOf', withProperties({ a: { anyOf: [annotated('A')] } })],
    ['oneOf with properties', { oneOf: [withProperties({ a: annotated('A') })] }],
    ['if', { if: withProperties({ a: annotated('A') }) }],
    ['$defs', { $defs: { x: annotated('A') } }],
  ])('do not hold in %s', (_, schema) => {
    expect(findParamHeaders(schema as JsonObject)).toEqual([]);
    expect(JSON.stringify(withoutInvalidParamHeaders(schema as JsonObject))).not.toContain('x-mcp-header');
  });

  it('leave everything else as it is: data, properties of that name, and names from the prototype', () => {
    const schema = JSON.parse(`{
      "type": "object",
      "properties": {
        "__proto__": { "type": "number", "x-mcp-header": "Bad" },
        "x-mcp-header": { "type": "string", "default": { "x-mcp-header": "data" } },
        "constructor": true
      },
      "examples": [{ "x-mcp-header": "data" }],
      "x-vendor": { "x-mcp-header": "theirs" }
    }`) as JsonObject;
    const shown = JSON.stringify(withoutInvalidParamHeaders(schema));
    expect(shown).toBe(JSON.stringify(schema).replace(',"x-mcp-header":"Bad"', ''));
    expect(findParamHeaders(schema)).toEqual([]);
  });

  it('are looked for in a schema of any depth', () => {
    let schema: JsonObject = annotated('Deep');
    for (let depth = 0; depth < 5_000; depth++) schema = { type: 'object', properties: { a: schema } };
    expect(findParamHeaders(schema)).toEqual([]);
    expect(withoutInvalidParamHeaders(schema)).toBe(schema);
  });
});
