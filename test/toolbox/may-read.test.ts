import { describe, expect, it } from 'vitest';
import { buildItemList, emptyListing, withHeard } from '../../src/catalog/listing.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { mayRead } from '../../src/toolbox/may-read.ts';
import { buildToolboxes } from '../../src/toolbox/toolbox.ts';

const limits = { limits: defaultLimits };
const listing = withHeard(
  emptyListing,
  new Map([
    ['tools', buildItemList('tools', [{ name: 'read', inputSchema: { type: 'object' } }], limits)],
    ['prompts', buildItemList('prompts', [{ name: 'ask' }, { name: 'tell' }], limits)],
    [
      'resources',
      buildItemList(
        'resources',
        [
          { uri: 'file:///docs/a.md', name: 'a' },
          { uri: 'file:///secret/b.md', name: 'b' },
        ],
        limits,
      ),
    ],
    [
      'resourceTemplates',
      buildItemList(
        'resourceTemplates',
        [
          { uriTemplate: 'file:///docs/{name}', name: 'd' },
          { uriTemplate: 'db://{table}', name: 't' },
        ],
        limits,
      ),
    ],
  ]),
);

function open(filters: object) {
  const config = parseConfigValue({ mcpServers: { a: { command: 'x', ...filters } } }, { dir: '/', env: {} });
  const toolbox = buildToolboxes(config, new Map([['a', listing]])).get('default')!;
  const shown = (kind: keyof typeof toolbox.entries) => toolbox.entries[kind].map(({ item }) => item.shown);
  return { shown, reads: (uri: string) => mayRead(toolbox, toolbox.placements.get('a')!, uri) };
}

describe('filters of prompts and resources', () => {
  it('leave everything as it is where there are none', () => {
    const { shown, reads } = open({ toolFilters: ['nothing'] });
    expect([shown('tools'), shown('prompts').length, shown('resources').length]).toEqual([[], 2, 2]);
    expect(reads('file:///anything')).toBe(true);
  });

  it('keep what they name and nothing else', () => {
    const { shown } = open({ promptFilters: ['ask'], resourceFilters: ['file:///docs/*'] });
    expect(shown('tools')).toEqual(['read']);
    expect(shown('prompts')).toEqual(['ask']);
    expect(shown('resources')).toEqual(['file:///docs/a.md']);
    expect(shown('resourceTemplates')).toEqual(['file:///docs/{name}']);
  });

  it.each([
    ['file:///docs/a.md', true],
    ['file:///docs/unlisted.md', true],
    ['file:///secret/b.md', false],
    ['file:///secret/unlisted.md', false],
    ['db://users', false],
    ['file:///docs/../secret/b.md', false],
    ['file:///docs/%2e%2e/secret/b.md', false],
    ['file:///docs/%252e%252e%252fsecret/b.md', false],
    ['file:///docs/..', false],
    ['file:///docs/a..b.md', true],
  ])('hold for what was never listed: %s can be read: %s', (uri, expected) => {
    expect(open({ resourceFilters: ['file:///docs/*'] }).reads(uri)).toBe(expected);
  });

  it('that name a template let what it makes be read', () => {
    const { reads } = open({ resourceFilters: ['db://{table}'] });
    expect([reads('db://users'), reads('db://{table}'), reads('file:///docs/a.md')]).toEqual([true, true, false]);
  });

  it('that leave out win over a template that is kept', () => {
    const { reads } = open({ resourceFilters: ['*', '!db://secrets'] });
    expect([reads('db://users'), reads('db://secrets')]).toEqual([true, false]);
  });
});
