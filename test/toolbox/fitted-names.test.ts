import { describe, expect, it } from 'vitest';
import { buildItemList, emptyListing, withHeard } from '../../src/catalog/listing.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { buildFlatNames } from '../../src/toolbox/name-table.ts';
import { findPinned } from '../../src/toolbox/pinned.ts';
import { withoutServerName } from '../../src/toolbox/public-name.ts';
import { buildToolboxes } from '../../src/toolbox/toolbox.ts';

/** The toolboxes of servers with these tools. */
function toolboxesOf(tools: Record<string, string[]>, entry: (name: string) => object = () => ({})) {
  const mcpServers = Object.fromEntries(Object.keys(tools).map((name) => [name, { command: name, ...entry(name) }]));
  const config = parseConfigValue({ mode: 'auto', mcpServers }, { dir: '/', env: {} });
  const inputSchema = { type: 'object' };
  const catalog = new Map(
    [...config.servers].map(([key, { name }]) => {
      const entries = (tools[name] ?? []).map((tool) => ({ name: tool, inputSchema }));
      const list = buildItemList('tools', entries, { limits: defaultLimits });
      return [key, withHeard(emptyListing, new Map([['tools', list]] as const))] as const;
    }),
  );
  return { config, toolboxes: buildToolboxes(config, catalog) };
}

function namesOf(tools: Record<string, string[]>, entry?: (name: string) => object, maxNameLength = 46) {
  const { config, toolboxes } = toolboxesOf(tools, entry);
  const fitted = { ...config, fitsNames: true, safeNames: true, maxNameLength };
  const { entries, collisions } = buildFlatNames(fitted, toolboxes.values(), 'tools');
  expect(collisions.size).toBe(0);
  return new Map([...entries].map(([name, { address, item }]) => [name, `${address.server}/${item.name}`]));
}

describe('names that fit every client', () => {
  it('say the server once', () => {
    const names = namesOf({ github: ['github_create_issue', 'GitHub-search', 'list', 'github', 'github_2fa'] });
    expect([...names.keys()]).toEqual([
      'github__create_issue',
      'github__search',
      'github__list',
      'github__github',
      'github__github_2fa',
    ]);
  });

  it.each([
    ['chrome_devtools_click', 'chrome-devtools', 'click'],
    ['chrome-devtools-click', 'chrome-devtools', 'click'],
    ['chromedevtools_click', 'chrome-devtools', 'chromedevtools_click'],
    ['github_', 'github', 'github_'],
    ['githubs_x', 'github', 'githubs_x'],
    ['', 'github', ''],
  ])('%s of %s is shortened to %s', (name, server, short) => {
    expect(withoutServerName(name, server)).toBe(short);
  });

  it('stay apart where a shorter or safer name is taken already, and none is lost', () => {
    const tools = { a: ['a_x', 'x', 'b-c', 'b_c', 'b.c'], 'a-': ['x'], é: ['x'], è: ['x'] };
    const names = namesOf(tools);
    expect([...names.values()].sort()).toHaveLength(8);
    expect(new Set(names.values()).size).toBe(8);
    expect(names.get('a__a_x')).toBe('a/a_x');
    expect(names.get('a__x')).toBe('a/x');
    for (const name of names.keys()) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_]{0,45}$/);
    expect([...namesOf(tools)]).toEqual([...names]);
  });

  it('are short and safe for any names of servers and tools', () => {
    const odd = [
      '→',
      '9',
      '_',
      ' ',
      'x'.repeat(128),
      `${'y'.repeat(127)}1`,
      `${'y'.repeat(127)}2`,
      'a/b:c',
      '\u202egnp',
    ];
    const names = namesOf({ ['s'.repeat(60)]: odd, '9 lives': odd, [`${'s'.repeat(59)}t`]: odd });
    expect(names.size).toBe(27);
    for (const name of names.keys()) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_]{0,45}$/);
  });

  it('leave a server without its name, and stay apart there too', () => {
    const names = namesOf({ a: ['x', 'only'], b: ['x'] }, () => ({ prefix: false }));
    expect(names.get('only')).toBe('a/only');
    expect([...names.values()].sort()).toEqual(['a/only', 'a/x', 'b/x']);
  });
});

describe('pins', () => {
  const { toolboxes } = toolboxesOf({ a: ['x', 'y/z'], b: ['x', 'hidden'] }, (name) =>
    name === 'b' ? { toolFilters: ['!hidden'] } : {},
  );
  const found = (...pins: string[]) => {
    const { entries, unmatched } = findPinned(pins, toolboxes.values());
    return { entries: entries.map(({ address }) => `${address.toolbox}/${address.server}/${address.name}`), unmatched };
  };

  it('name tools by server, or by toolbox and server, in their own order and once', () => {
    expect(found('b/x', 'a/x', 'a/a/x', 'a/y/z')).toEqual({ entries: ['b/b/x', 'a/a/x', 'a/a/y/z'], unmatched: [] });
  });

  it('that no tool answers to are told of, and cannot reach what a filter leaves out', () => {
    const pins = ['a/nope', 'c/x', 'x', '', '/', 'b/hidden', 'b/b/hidden', '__proto__/x'];
    expect(found(...pins)).toEqual({ entries: [], unmatched: pins });
  });
});
