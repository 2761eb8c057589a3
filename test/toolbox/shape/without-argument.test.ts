import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { withoutArgument } from '../../../src/toolbox/shape/without-argument.ts';

const owner = { name: 'owner', value: 'acme' };

function reduced(schema: JsonObject, argument: { name: string; value?: Json } = owner): JsonObject {
  const outcome = withoutArgument(schema, argument);
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome.schema;
}

function problemOf(schema: JsonObject, argument: { name: string; value?: Json } = owner): string {
  const outcome = withoutArgument(schema, argument);
  if (!('problem' in outcome)) throw new Error(JSON.stringify(outcome.schema));
  return outcome.problem;
}

describe('a fixed argument', () => {
  it('leaves properties and required; members that are not known stay', () => {
    const schema = {
      type: 'object',
      properties: { owner: { type: 'string' }, repo: { type: 'string' } },
      required: ['owner', 'repo'],
      additionalProperties: false,
      'x-vendor': { kept: true },
    };
    expect(reduced(schema)).toEqual({
      type: 'object',
      properties: { repo: { type: 'string' } },
      required: ['repo'],
      additionalProperties: false,
      'x-vendor': { kept: true },
    });
  });

  it('does not leave an empty list of required arguments', () => {
    expect(reduced({ type: 'object', properties: { owner: {} }, required: ['owner'] })).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('chooses the branch that its value belongs to', () => {
    const branch = (kind: string, other: string) => ({
      properties: { kind: { const: kind }, [other]: { type: 'string' } },
      required: ['kind', other],
    });
    const schema = { type: 'object', oneOf: [branch('user', 'login'), branch('team', 'slug')] };
    expect(reduced(schema, { name: 'kind', value: 'team' })).toEqual({
      type: 'object',
      oneOf: [{ properties: { slug: { type: 'string' } }, required: ['slug'] }],
    });
  });

  it('is taken out behind a reference, and the definition that shows it goes', () => {
    const schema = {
      type: 'object',
      $ref: '#/$defs/Args',
      $defs: { Args: { properties: { owner: { type: 'string' }, n: { $ref: '#/$defs/N' } } }, N: { type: 'integer' } },
    };
    expect(reduced(schema)).toEqual({
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' } },
      $defs: { N: { type: 'integer' } },
    });
  });

  it('leaves a reference that does not speak of it', () => {
    const schema = {
      type: 'object',
      properties: { owner: {} },
      allOf: [{ $ref: '#/$defs/A' }],
      $defs: { A: { properties: { a: {} } } },
    };
    expect(reduced(schema)).toEqual({
      type: 'object',
      properties: {},
      allOf: [{ $ref: '#/$defs/A' }],
      $defs: { A: { properties: { a: {} } } },
    });
  });

  it('decides a condition on it', () => {
    const schema = {
      type: 'object',
      properties: { owner: {}, a: {}, b: {} },
      if: { properties: { owner: { const: 'acme' } }, required: ['owner'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['a'] },
      else: { required: ['b'] },
    };
    expect(reduced(schema)).toEqual({ type: 'object', properties: { a: {}, b: {} }, allOf: [{ required: ['a'] }] });
  });

  it('makes required what depends on it', () => {
    const schema = {
      type: 'object',
      properties: { owner: {}, a: {} },
      dependentRequired: { owner: ['a'], a: ['owner'] },
    };
    expect(reduced(schema)).toEqual({
      type: 'object',
      properties: { a: {} },
      dependentRequired: { a: [] },
      required: ['a'],
    });
  });

  it('is taken out of examples', () => {
    const schema = { type: 'object', properties: { owner: {}, a: {} }, examples: [{ owner: 'x', a: 1 }] };
    expect(reduced(schema).examples).toEqual([{ a: 1 }]);
  });

  it.each([
    ['another type', { type: 'object', properties: { owner: { type: 'integer' } } }],
    ['a value that is not in the list', { type: 'object', properties: { owner: { enum: ['a', 'b'] } } }],
    [
      'a part that refuses it',
      { type: 'object', properties: { owner: {} }, allOf: [{ properties: { a: {} }, additionalProperties: false }] },
    ],
    ['no branch for it', { type: 'object', anyOf: [{ properties: { owner: { const: 'x' } } }] }],
    [
      'a reference to another type',
      { type: 'object', properties: { owner: { $ref: '#/$defs/N' } }, $defs: { N: { type: 'number' } } },
    ],
  ])('that does not fit is refused: %s', (_, schema) => {
    expect(problemOf(schema)).toBe('the value for the argument "owner" does not fit the schema of the tool');
  });

  it.each([
    [
      'a pattern decides',
      { type: 'object', oneOf: [{ properties: { owner: { pattern: '^a' } } }, { properties: { b: {} } }] },
    ],
    ['a reference leads out', { type: 'object', $ref: 'https://example.org/schema' }],
    ['the schema refers to itself', { type: 'object', allOf: [{ $ref: '#' }] }],
    ['all arguments are listed together', { type: 'object', enum: [{ owner: 'acme' }] }],
  ])('is not taken out where that is not safe: %s', (_, schema) => {
    expect(problemOf(schema)).toMatch(/^(its schema|a rule)/);
  });

  it('is fine where only a pattern says what its value must be: the server checks it', () => {
    expect(reduced({ type: 'object', properties: { owner: { type: 'string', pattern: '(a+)+$' } } })).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('ends for references that multiply', () => {
    const $defs: JsonObject = { L0: { properties: { owner: {} } } };
    for (let level = 1; level < 40; level++) {
      const $ref = `#/$defs/L${level - 1}`;
      $defs[`L${level}`] = { allOf: [{ $ref }, { $ref }] };
    }
    expect(problemOf({ type: 'object', $ref: '#/$defs/L39', $defs })).toBe(
      'its schema refers to itself or is too large',
    );
  });

  it('tells whether the tool has it', () => {
    const named = (schema: JsonObject) => withoutArgument(schema, owner);
    expect(named({ type: 'object', properties: { a: {} } })).toMatchObject({ named: false });
    expect(named({ type: 'object' })).toMatchObject({ named: true });
    expect(named({ type: 'object', anyOf: [{ properties: { owner: {} } }, { properties: { a: {} } }] })).toMatchObject({
      named: true,
    });
  });
});

describe('a hidden argument without a value', () => {
  const hidden = { name: 'force' };
  it('leaves the schema', () => {
    expect(reduced({ type: 'object', properties: { force: {}, a: {} }, required: ['a'] }, hidden)).toEqual({
      type: 'object',
      properties: { a: {} },
      required: ['a'],
    });
  });

  it('keeps away what needs it', () => {
    expect(
      reduced({ type: 'object', properties: { force: {}, a: {} }, dependentRequired: { a: ['force'] } }, hidden),
    ).toEqual({
      type: 'object',
      properties: { a: {} },
      allOf: [{ properties: { a: false } }],
    });
  });

  it('is refused when it is required', () => {
    expect(problemOf({ type: 'object', properties: { force: {} }, required: ['force'] }, hidden)).toMatch(
      /is required/,
    );
  });
});
