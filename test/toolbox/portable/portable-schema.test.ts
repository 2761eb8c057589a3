import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { toPortableSchema } from '../../../src/toolbox/portable-schema.ts';
import { depthOf, findFaults } from './faults.ts';
import { compile } from './validate.ts';

/** The portable schema of one argument. */
function argument(schema: Json, rest: JsonObject = {}): Json | undefined {
  const { schema: portable } = toPortableSchema({ type: 'object', properties: { it: schema }, ...rest });
  expect(findFaults(portable)).toEqual([]);
  return (portable.properties as JsonObject).it;
}

function top(schema: JsonObject): JsonObject {
  const { schema: portable } = toPortableSchema(schema);
  expect(findFaults(portable)).toEqual([]);
  return portable;
}

describe('a schema that every model family takes', () => {
  it('stays the same object, without changes', () => {
    const schema = {
      type: 'object',
      description: 'All of it.',
      properties: {
        name: { type: 'string', description: 'A name', enum: ['a', 'b'] },
        count: { type: 'integer', minimum: 1, maximum: 9 },
        list: { type: 'array', items: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] } },
        either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['name'],
    };
    const found = toPortableSchema(schema);
    expect(found.schema).toBe(schema);
    expect(found.changes).toEqual([]);
  });
});

describe('what is changed', () => {
  it('is listed with its place, its keyword and the reason', () => {
    const { changes } = toPortableSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { 'a/b': { type: ['string', 'null'], title: 'A' } },
      additionalProperties: false,
    });
    expect(changes.map(({ at, keyword, reason }) => [at, keyword, reason])).toEqual([
      ['', '$schema', 'schema-version'],
      ['/properties/a~1b', 'title', 'annotation'],
      ['/properties/a~1b', 'type', 'type-list'],
      ['', 'additionalProperties', 'not-known'],
      ['/properties/a~1b', '', 'property-name'],
    ]);
    expect(changes.every(({ why }) => /^[A-Z].*\.$/.test(why))).toBe(true);
  });

  it('does not change the schema that was given', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { const: 1 } } };
    const before = JSON.stringify(schema);
    toPortableSchema(schema);
    expect(JSON.stringify(schema)).toBe(before);
  });
});

describe('references', () => {
  it('are written out, with what stands beside them', () => {
    const $defs = { 'A~/é': { type: 'string', description: 'A name.' } };
    expect(argument({ $ref: '#/$defs/A~0~1%C3%A9', description: 'Of the owner.' }, { $defs })).toEqual({
      type: 'string',
      description: 'Of the owner. A name.',
    });
  });

  it('stand alone in draft-07: keywords beside them do not narrow the value', () => {
    const rest = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { A: { type: ['string', 'null'] } },
    };
    const nullable = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    expect(argument({ $ref: '#/definitions/A', type: 'string' }, rest)).toEqual(nullable);
    expect(argument({ $ref: '#/$defs/A', type: 'string' }, { $defs: rest.definitions })).toEqual({ type: 'string' });
  });

  it.each([
    ['of another document', { $ref: 'https://example.com/schema.json' }],
    ['of a place that does not exist', { $ref: '#/$defs/None' }],
    ['of a member of the prototype', { $ref: '#/constructor' }],
    ['of the prototype', { $ref: '#/__proto__/toString' }],
    ['that is not a text', { $ref: { type: 'string' } }],
    ['that cannot be decoded', { $ref: '#/%E0%A4%A' }],
    ['by a name', { $ref: '#name' }],
    ['that is found while the program runs', { $dynamicRef: '#node' }],
    ['that leads only to itself', { $ref: '#/properties/it' }],
  ])('that cannot be followed (%s) take any value', (_, schema) => {
    expect(argument(schema)).toEqual({});
  });

  it('to themselves end after one round, with the type that is known', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] };
    expect(argument({ $ref: '#/$defs/Node' }, { $defs: { Node: node } })).toEqual({
      type: 'object',
      properties: {
        next: {
          type: 'object',
          properties: { next: { type: 'object', properties: {} } },
          required: ['next'],
        },
      },
      required: ['next'],
    });
  });

  it('to the top are followed from the schema that has an $id', () => {
    const inner = {
      $id: 'https://example.com/inner',
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'null' } },
    };
    expect(argument({ $ref: '#/$defs/I' }, { $defs: { A: { type: 'string' }, I: inner } })).toEqual({
      type: 'object',
      properties: { a: { type: 'null' } },
    });
  });

  it('that multiply are bounded in size and time', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/D${at + 1}` };
        return [`D${at}`, { type: 'object', properties: { a: next, b: next, c: next, d: { anyOf: [next, next] } } }];
      }),
    );
    const { schema, changes } = toPortableSchema({ type: 'object', properties: { it: { $ref: '#/$defs/D0' } }, $defs });
    expect(JSON.stringify(schema).length).toBeLessThan(16 * 1_024);
    expect(changes.map(({ reason }) => reason)).toContain('size');
    expect(findFaults(schema)).toEqual([]);
  });
});

describe('combinators at the top', () => {
  it('of required arguments become words', () => {
    const properties = { path: { type: 'string' }, url: { type: 'string' }, id: { type: 'integer' } };
    const branches = [{ required: ['id', 'path'] }, { required: ['id', 'url'] }];
    expect(top({ type: 'object', properties, anyOf: branches })).toEqual({
      type: 'object',
      description: 'Give path, or url.',
      properties,
      required: ['id'],
    });
  });

  it('become one object, which requires what every branch requires', () => {
    const branch = (kind: string, name: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [name]: { type: 'string', description: `The ${name}` } },
      required: ['kind', name],
      additionalProperties: false,
    });
    expect(top({ type: 'object', oneOf: [branch('file', 'path'), branch('page', 'url')] })).toEqual({
      type: 'object',
      description: 'Give path, or url.',
      properties: {
        kind: { type: 'string', enum: ['file', 'page'] },
        path: { type: 'string', description: 'The path' },
        url: { type: 'string', description: 'The url' },
      },
      required: ['kind'],
    });
  });

  it('of open objects leave the value of an argument open that a branch does not name', () => {
    const schema = {
      type: 'object',
      anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'null' } } }],
    };
    const portable = top(schema);
    expect(compile(schema)?.({ a: 5, b: null })).toBe(true);
    expect(compile(portable)?.({ a: 5, b: null })).toBe(true);
    expect(portable.properties).toEqual({ a: { description: 'Type: string.' }, b: { description: 'Type: null.' } });
  });

  it('that must all hold are joined', () => {
    const parts = [
      { properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { a: { enum: ['x', 1] }, b: { type: 'boolean' } }, required: ['b'] },
    ];
    expect(top({ type: 'object', allOf: parts })).toMatchObject({
      properties: { a: { type: 'string', enum: ['x'] }, b: { type: 'boolean' } },
      required: ['a', 'b'],
    });
  });

  it('name the arguments of conditions without requiring them', () => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      if: { properties: { kind: { const: 'file' } } },
      else: { properties: { path: { type: 'string', description: 'Where.' } }, required: ['path'] },
      dependentSchemas: { kind: { properties: { mode: { enum: ['r', 'w'] } } } },
    };
    expect(top(schema)).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string' },
        path: { description: 'Where. Type: string.' },
        mode: { description: 'Type: "r" or "w".' },
      },
    });
  });
});

describe('one value', () => {
  it.each<[string, Json, Json]>([
    [
      'of several types',
      { type: ['string', 'null'], description: 'X' },
      { anyOf: [{ type: 'string', description: 'X' }, { type: 'null' }] },
    ],
    [
      'that OpenAPI calls nullable',
      { type: 'integer', nullable: true },
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    ],
    ['that is fixed', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['that is a fixed number', { const: 2 }, { type: 'integer', description: 'Always 2.' }],
    ['out of numbers', { type: 'number', enum: [1, 2.5] }, { type: 'number', description: 'One of 1, 2.5.' }],
    ['out of strings, one of them empty', { enum: ['', 'a'] }, { type: 'string', description: 'One of "", "a".' }],
    ['out of strings and null', { enum: ['a', null] }, { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }],
    ['whose list does not fit its type', { type: 'string', enum: [1] }, { type: 'string', description: 'Always 1.' }],
    ['without a schema', true, {}],
    ['with a type that does not exist', { type: 'file' }, {}],
    ['of an unknown type', { description: 'X', 'x-order': 1 }, { description: 'X' }],
    [
      'with a pattern, a format and lengths',
      { type: 'string', description: 'X', pattern: '^a(?!b)', format: 'uri', minLength: 1, maxLength: 5 },
      { type: 'string', description: 'X. Matches ^a(?!b). Format: uri. Not empty. At most 5 characters.' },
    ],
    [
      'with a default and a title',
      { type: 'integer', title: 'Limit', default: 10 },
      { type: 'integer', description: 'Limit. Default: 10.' },
    ],
    ['with a long pattern', { type: 'string', pattern: 'a'.repeat(200) }, { type: 'string' }],
    [
      'with open bounds',
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      { type: 'number', description: 'Greater than 0. Less than 1.', minimum: 0, maximum: 1 },
    ],
    [
      'with open bounds of whole numbers',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 5.5 },
      { type: 'integer', minimum: 1, maximum: 5 },
    ],
    [
      'with the bounds of draft-04',
      { type: 'integer', minimum: 3, exclusiveMinimum: true },
      { type: 'integer', minimum: 3 },
    ],
    [
      'that is a list without items',
      { type: 'array', uniqueItems: true },
      { type: 'array', description: 'No item twice.', items: {} },
    ],
    ['that is an object without properties', { type: 'object' }, { type: 'object', properties: {} }],
    [
      'that maps names to numbers',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', description: 'Values of other keys: number.', properties: {} },
    ],
    [
      'whose names match a pattern',
      { type: 'object', patternProperties: { '^x-': { type: 'string' } }, propertyNames: { pattern: '^[a-z]' } },
      { type: 'object', description: 'Values of keys that match ^x-: string. Keys match ^[a-z].', properties: {} },
    ],
    [
      'with keywords of another type',
      { type: 'string', properties: { a: {} }, required: ['a'], items: {} },
      { type: 'string' },
    ],
    [
      'that requires what it does not name',
      { type: 'object', properties: {}, required: ['id'] },
      { type: 'object', description: 'Needs id.', properties: {} },
    ],
    [
      'that is a pair',
      { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 2, maxItems: 2 },
      {
        type: 'array',
        description: 'At least 2 items. At most 2 items. Items in order: number, string.',
        items: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      },
    ],
    [
      'that begins with a pair',
      { type: 'array', items: [{ type: 'number' }, { type: 'number' }] },
      { type: 'array', description: 'Items in order: number, number.', items: { description: 'Type: number.' } },
    ],
    [
      'with alternatives beside a description',
      { description: 'X', anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string', description: 'X' }, { type: 'integer' }] },
    ],
    [
      'with named constants',
      {
        oneOf: [
          { const: 'a', description: 'First.' },
          { const: 'b', title: 'Second' },
        ],
      },
      { type: 'string', description: 'a: First. b: Second.', enum: ['a', 'b'] },
    ],
  ])('%s', (_, schema, expected) => {
    expect(argument(schema)).toEqual(expected);
  });

  it('that is never accepted is not shown', () => {
    expect(argument(false)).toBeUndefined();
  });

  it('keeps the annotation that names its HTTP header', () => {
    const schema = { type: 'string', 'x-mcp-header': 'Region', title: 'Region' };
    expect(argument(schema)).toEqual({ type: 'string', description: 'Region', 'x-mcp-header': 'Region' });
  });

  it('may be called __proto__', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","format":"uri"}},"required":["__proto__"]}',
    );
    const portable = top(schema);
    expect(Object.keys(portable.properties as JsonObject)).toEqual(['__proto__']);
    expect(portable.required).toEqual(['__proto__']);
  });
});

describe('arguments with names that are refused', () => {
  it('are said in words', () => {
    const properties = { $filter: { type: 'string', description: 'OData filter.' }, id: { type: 'string' } };
    expect(top({ type: 'object', properties, required: ['$filter'] })).toEqual({
      type: 'object',
      description: 'Also takes "$filter": string, OData filter.',
      properties: { id: { type: 'string' } },
    });
  });
});

describe('absurd schemas', () => {
  it('that are nested deep are cut', () => {
    let schema: Json = { type: 'string' };
    for (let at = 0; at < 60; at++) schema = { type: 'object', properties: { a: schema } };
    const { schema: portable, changes } = toPortableSchema(schema as JsonObject);
    expect(depthOf(portable)).toBe(10);
    expect(changes.map(({ reason }) => reason)).toEqual(['size']);
  });

  it('that only delegate are cut', () => {
    let schema: Json = { type: 'string' };
    for (let at = 0; at < 500; at++) schema = { allOf: [schema] };
    expect(argument(schema)).toEqual({});
  });

  it('with many alternatives of objects become one', () => {
    const anyOf = Array.from({ length: 50 }, (_, at) => ({
      type: 'object',
      properties: { [`p${at}`]: { type: 'string' } },
    }));
    expect(argument({ anyOf, title: 'Many' })).toMatchObject({ type: 'object', properties: { p0: {}, p49: {} } });
  });

  it.each<[string, JsonObject]>([
    ['nothing at all', {}],
    ['a list at the top', { type: 'array', items: {} }],
    ['properties that are not schemas', { type: 'object', properties: { a: 'text', b: null, c: [1] } }],
    ['properties that are not an object', { type: 'object', properties: [] }],
    ['combinators that are not lists', { type: 'object', properties: {}, anyOf: {}, allOf: 3, oneOf: [] }],
    ['required that is not a list', { type: 'object', properties: { a: { type: 'string' } }, required: 'a' }],
    ['required with other things', { type: 'object', properties: { a: { type: 'string' } }, required: [1, 'a', null] }],
    ['a list of no values', { type: 'object', properties: { a: { type: 'string', enum: [] } } }],
    ['a description that is not a text', { type: 'object', description: 5, properties: {} }],
  ])('with %s become schemas that can be used', (_, schema) => {
    expect(findFaults(top(schema))).toEqual([]);
  });
});
