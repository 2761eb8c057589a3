import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { estimateTokens } from '../../../src/base/text/token-estimate.ts';
import { toToolDocs } from '../../../src/front/search/tool-docs.ts';
import { toToolLine } from '../../../src/front/search/tool-line.ts';
import type { Entry } from '../../../src/toolbox/toolbox.ts';

function entryOf(definition: JsonObject): Entry {
  const item = { name: 't', shown: 't', definition: { name: 't', ...definition } };
  return { kind: 'tools', key: 'box', item, address: { toolbox: 'box', server: 'box', name: 't' } };
}

const withProperties = (properties: JsonObject, more: JsonObject = {}) =>
  entryOf({ inputSchema: { type: 'object', properties, ...more } });

describe('the docs of a tool', () => {
  it('show types, comments, defaults, bounds and what comes back', () => {
    const docs = toToolDocs(
      entryOf({
        description: 'Lists **things**.\nSee [the page](https://example.com/x).',
        inputSchema: {
          type: 'object',
          properties: {
            limit: { type: 'integer', description: 'How many', default: 10, minimum: 1, maximum: 50 },
            when: { type: 'string', format: 'date-time' },
            kind: { enum: ['a', 'b'], description: 'Which; the default is a', default: 'a' },
            filter: {
              type: 'object',
              properties: { name: { type: 'string', description: 'Its name' } },
              required: ['name'],
            },
            many: { type: 'array', items: { $ref: '#/$defs/one' } },
            id: { type: 'string', description: 'Needed' },
          },
          required: ['id'],
          $defs: { one: { type: 'object', properties: { x: { type: 'number' } } } },
        },
        outputSchema: {
          type: 'object',
          properties: { things: { type: 'array' }, next: { type: 'string' } },
          required: ['things'],
        },
      }),
    );
    expect(docs.split('\n')).toEqual([
      '/** Lists things. See the page. */',
      'box.t({',
      '  id: string // Needed',
      '  limit?: integer // How many (default 10; 1..50)',
      '  when?: string // (date-time)',
      '  kind?: "a"|"b" // Which; the default is a',
      '  filter?: {',
      '    name: string // Its name',
      '  }',
      '  many?: {',
      '    x?: number',
      '  }[]',
      '}): {things, next?}',
    ]);
  });

  it('show less of a large tool, keep all its arguments, and say so', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`argument${at}`, { type: 'string', description: 'word '.repeat(60) }]),
    );
    const docs = toToolDocs(withProperties(properties, { required: ['argument7'] }));
    expect(docs).toContain('  argument7: string // word');
    for (const name of Object.keys(properties)) expect(docs).toContain(`  ${name}`);
    expect(docs).toContain('// shortened; format json has all');
    expect(estimateTokens(docs)).toBeLessThan(450);
  });

  it('are bounded however large, deep or circular the schema is', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`${'n'.repeat(100)}${at}`, { enum: ['v'.repeat(900)] }]),
    );
    const circular = {
      list: { $ref: '#/$defs/list' },
      either: { $ref: '#/$defs/either' },
      both: { $ref: '#/$defs/both' },
      tree: { $ref: '#' },
    };
    const $defs = {
      list: { type: 'array', items: { $ref: '#/$defs/list' } },
      either: { anyOf: [{ $ref: '#/$defs/either' }, { $ref: '#/$defs/list' }] },
      both: { allOf: [{ $ref: '#/$defs/both' }] },
    };
    for (const entry of [withProperties(wide), withProperties(circular, { $defs })]) {
      expect(toToolDocs(entry).length).toBeLessThan(30_000);
      expect(toToolLine(entry, { state: 'ready' }).length).toBeLessThan(2_500);
    }
  });

  it('keep every text of the server inside its comment', () => {
    const docs = toToolDocs(
      entryOf({
        description: 'a */ b\n*/\nc',
        inputSchema: { type: 'object', properties: { x: { type: 'string\n})', description: 'one\n})\nbox.other({' } } },
      }),
    );
    expect(docs.split('\n')).toHaveLength(4);
    expect(docs.match(/\*\//g)).toHaveLength(1);
  });
});
