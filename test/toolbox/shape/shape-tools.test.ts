import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { buildItemList, emptyListing } from '../../../src/catalog/listing.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { buildFlatNames, findPublicEntry } from '../../../src/toolbox/name-table.ts';
import { buildToolboxes, findEntry, type Toolbox } from '../../../src/toolbox/toolbox.ts';

const limits = { schemaBytes: 100_000, schemaDepth: 50 };
const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: {
    type: 'object',
    properties: { owner: { type: 'string', default: 'x' }, n: { type: 'integer' } },
    required: ['owner'],
  },
  ...more,
});

function fill(tools: object, offered: JsonObject[], more: object = {}) {
  const file = { mode: 'flat', mcpServers: { gh: { command: 'gh', tools } }, ...more } as const;
  const config = parseConfigValue(file as object, { dir: '/', env: { ORG: 'acme' } });
  const listing = { ...emptyListing, tools: buildItemList('tools', offered, { limits }).items };
  const toolboxes = buildToolboxes(config, new Map([['gh', listing]]));
  const [toolbox] = toolboxes.values();
  if (toolbox === undefined) throw new Error('no toolbox');
  return { toolbox, config, toolboxes };
}
const shown = ({ entries }: Toolbox) => entries.tools.map(({ address }) => address.name);
const problems = ({ unshown }: Toolbox) => unshown.map(({ own, problem }) => [own.name, problem]);
const schemaOf = (toolbox: Toolbox, name: string) =>
  findEntry(toolbox, 'tools', { server: 'gh', name })?.item.definition.inputSchema as JsonObject | undefined;

describe('tools that the configuration shapes', () => {
  it('keep every member that it does not speak of', () => {
    const own = tool('a', { title: 'A', _meta: { x: 1 }, annotations: { readOnlyHint: true, title: 'A' }, icons: [] });
    const { toolbox } = fill({ a: { title: 'B', annotations: { destructiveHint: false } } }, [own]);
    expect(toolbox.entries.tools[0]?.item.definition).toEqual({
      ...own,
      title: 'B',
      annotations: { readOnlyHint: true, title: 'B', destructiveHint: false },
    });
  });

  it('are what the exact name says, then later patterns, then earlier ones', () => {
    const tools = {
      a1: { description: 'exact' },
      'a*': { description: 'first', title: 'first' },
      '*1': { title: 'second' },
    };
    const { toolbox } = fill(tools, [tool('a1'), tool('a2'), tool('b1')]);
    expect(toolbox.entries.tools.map(({ item: { definition } }) => [definition.description, definition.title])).toEqual(
      [
        ['exact', 'second'],
        ['first', 'first'],
        [undefined, 'second'],
      ],
    );
  });

  it('are shown again by an entry that takes back what a pattern hides', () => {
    const { toolbox } = fill({ '*': { hidden: true }, a: { hidden: false } }, [tool('a'), tool('b')]);
    expect(shown(toolbox)).toEqual(['a']);
  });

  it('are fixed by a pattern where they have the argument', () => {
    const { toolbox } = fill({ '*': { arguments: { owner: { value: '${ORG}' } } } }, [
      tool('a'),
      tool('b', { inputSchema: { type: 'object', properties: { n: {} } } }),
    ]);
    expect(shown(toolbox)).toEqual(['a', 'b']);
    expect(schemaOf(toolbox, 'a')).toEqual({ type: 'object', properties: { n: { type: 'integer' } } });
    expect(toolbox.entries.tools.map(({ shaped }) => [...(shaped?.fixed ?? [])])).toEqual([[['owner', 'acme']], []]);
  });

  it.each<[string, object, string]>([
    [
      'a value of another type',
      { owner: { value: 3 } },
      'the value for the argument "owner" does not fit the schema of the tool',
    ],
    [
      'a default of another type',
      { n: { default: 'x' } },
      'the default for the argument "n" does not fit the schema of the tool',
    ],
    [
      'an argument that it does not have',
      { ownr: { value: 'x' } },
      "the tool has no argument 'ownr'; it has 'owner', 'n'",
    ],
    [
      'a description for such an argument',
      { x: { description: 'x' } },
      "the tool has no argument 'x'; it has 'owner', 'n'",
    ],
    [
      'a hidden argument that is required',
      { owner: { hidden: true } },
      'the argument "owner" is required, so that it cannot be hidden without a "value"',
    ],
  ])('are left out with %s', (_, args, problem) => {
    const { toolbox } = fill({ a: { arguments: args } }, [tool('a'), tool('b')]);
    expect(shown(toolbox)).toEqual(['b']);
    expect(problems(toolbox)).toEqual([['a', problem]]);
  });

  it('are both left out when one gets the name of the other', () => {
    const { toolbox } = fill({ a: { name: 'b' } }, [tool('a'), tool('b'), tool('c')]);
    expect(shown(toolbox)).toEqual(['c']);
    expect(problems(toolbox).map(([name]) => name)).toEqual(['a', 'b']);
  });

  it('may take the name of a tool that is hidden or renamed', () => {
    const { toolbox } = fill(
      { a: { name: 'b' }, b: { name: 'a' }, d: { hidden: true }, c: { name: 'd' } },
      ['a', 'b', 'c', 'd'].map((name) => tool(name)),
    );
    expect(toolbox.entries.tools.map(({ address, item }) => `${item.name} as ${address.name}`)).toEqual([
      'a as b',
      'b as a',
      'c as d',
    ]);
  });

  it('show a default, unless it may be a secret', () => {
    const { toolbox } = fill({ a: { arguments: { owner: { default: '${ORG}' }, n: { default: 2 } } } }, [tool('a')]);
    expect(schemaOf(toolbox, 'a')).toEqual({
      type: 'object',
      properties: { owner: { type: 'string' }, n: { type: 'integer', default: 2 } },
    });
    expect([...(toolbox.entries.tools[0]?.shaped?.defaults ?? [])]).toEqual([
      ['owner', 'acme'],
      ['n', 2],
    ]);
  });

  it('say what was changed and where, without secrets', () => {
    const { toolbox } = fill({ a: { name: 'x', arguments: { owner: { value: '${ORG}' }, n: { description: 'N' } } } }, [
      tool('a'),
    ]);
    const at = 'mcpServers.gh.tools.a';
    expect(toolbox.entries.tools[0]?.shaped?.changes).toEqual([
      { what: 'name', path: `${at}.name` },
      { what: 'argument', argument: 'owner', how: 'fixed', path: `${at}.arguments.owner`, detail: '•••${ORG}•••' },
      { what: 'argument', argument: 'n', how: 'description', path: `${at}.arguments.n.description` },
    ]);
  });

  it('are the same objects as long as nothing changes', () => {
    const { config } = fill({ a: { title: 'B' } }, []);
    const catalog = new Map([
      ['gh', { ...emptyListing, tools: buildItemList('tools', [tool('a')], { limits }).items }],
    ]);
    const first = () => [...buildToolboxes(config, catalog).values()][0]?.entries.tools[0]?.item;
    expect(first()).toBe(first());
  });
});

describe('aliases', () => {
  it('can be called and are not listed', () => {
    const { toolbox, config, toolboxes } = fill({ a: { name: 'x', aliases: ['old', 'c'] } }, [tool('a'), tool('c')]);
    expect(shown(toolbox)).toEqual(['x', 'c']);
    const names = buildFlatNames(config, toolboxes.values(), 'tools');
    expect([...names.entries.keys()]).toEqual(['gh:x', 'gh:c']);
    const ownOf = (name: string): Json | undefined => findPublicEntry(names, name)?.item.name;
    expect(['gh:old', 'gh:x', 'gh:c', 'gh:a'].map(ownOf)).toEqual(['a', 'a', 'c', undefined]);
    const find = (name: string) => findEntry(toolbox, 'tools', { server: 'gh', name })?.item.name;
    expect(['old', 'x', 'c', 'a'].map(find)).toEqual(['a', 'a', 'c', undefined]);
  });
});

describe('one server in two toolboxes', () => {
  const toolboxes = {
    one: {
      description: '1',
      servers: ['gh'],
      tools: { gh: { a: { name: 'mine', arguments: { owner: { value: 'me' } } } } },
    },
    two: { description: '2', servers: ['gh'] },
  };
  it('has both names in mode flat, and a tool that is not shaped once', () => {
    const filled = fill({}, [tool('a'), tool('b')], { toolboxes });
    const names = buildFlatNames(filled.config, filled.toolboxes.values(), 'tools');
    expect([...names.entries.keys()]).toEqual(['gh:mine', 'gh:b', 'gh:a']);
    expect(names.collisions.size).toBe(0);
  });
});
