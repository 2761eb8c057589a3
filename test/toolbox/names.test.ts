import { describe, expect, it } from 'vitest';
import { buildItemList, emptyListing, withHeard } from '../../src/catalog/listing.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { buildDynamicNames, buildFlatNames, describeCollision } from '../../src/toolbox/name-table.ts';
import { dynamicName, flatName } from '../../src/toolbox/public-name.ts';
import { buildToolboxes, findEntry } from '../../src/toolbox/toolbox.ts';

const free = { maxNameLength: undefined, safeNames: false };
const flat = { ...free, separator: ':', prefix: true };

describe('public names', () => {
  it('of dynamic mode join toolbox, server and tool', () => {
    expect(dynamicName({ toolbox: 'dev', server: 'filesystem', name: 'my__special__tool' }, free)).toBe(
      'dev__filesystem__my__special__tool',
    );
  });

  it.each([
    [flat, 'git', 'log', 'git:log'],
    [{ ...flat, prefix: false }, 'git', 'log', 'log'],
    [{ ...flat, safeNames: true }, 'my-git', 'log.all', 'my_git__log_all'],
    [{ ...flat, safeNames: true, separator: '_' }, 'git', 'log', 'git_log'],
    [{ ...flat, safeNames: true }, '9lives', 'x', 't_9lives__x'],
    [{ ...flat, safeNames: true }, 'é', '→', 't_____'],
    [{ ...flat, maxNameLength: 64 }, 'git', 'log', 'git:log'],
  ])('of flat mode under %j: %s, %s is %s', (rules, server, name, expected) => {
    expect(flatName({ server, name }, rules)).toBe(expected);
  });

  it('that are too long end in a stable hash of the whole', () => {
    const rules = { ...flat, maxNameLength: 24 };
    const [a, b] = ['one', 'two'].map((end) =>
      flatName({ server: 'server', name: `a_very_long_tool_name_${end}` }, rules),
    );
    expect(a).toMatch(/^server:a_very_lon_[0-9a-f]{6}$/);
    expect(a).toHaveLength(24);
    expect(b).not.toBe(a);
    expect(flatName({ server: 'server', name: 'a_very_long_tool_name_one' }, rules)).toBe(a);
  });
});

describe('the table of names', () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const tools = buildItemList('tools', [tool('read'), tool('write'), tool('open_toolbox')], { limits: defaultLimits });
  const prompts = buildItemList('prompts', [{ name: 'read' }, { name: 'ask' }], { limits: defaultLimits });
  const listing = withHeard(
    emptyListing,
    new Map([
      ['tools', tools],
      ['prompts', prompts],
    ] as const),
  );
  const options = { dir: '/', env: {} };
  const build = (value: object) => {
    const config = parseConfigValue(value, options);
    const catalog = new Map([...config.servers.keys()].map((key) => [key, listing]));
    return { config, toolboxes: [...buildToolboxes(config, catalog).values()] };
  };

  it('finds an entry by its public name', () => {
    const { config, toolboxes } = build({ mcpServers: { a: { command: 'x' } } });
    expect(buildFlatNames(config, toolboxes, 'tools').entries.get('a:read')?.address).toEqual({
      toolbox: 'default',
      server: 'a',
      name: 'read',
    });
  });

  it('leaves out both owners of one name and describes them', () => {
    const { config, toolboxes } = build({
      mcpServers: { a: { command: 'x', prefix: false }, b: { command: 'y', prefix: false } },
    });
    const table = buildFlatNames(config, toolboxes, 'tools');
    expect([...table.entries.keys()]).toEqual([]);
    const text = describeCollision('read', table.collisions.get('read') ?? []);
    for (const part of ["server 'a'", "server 'b'", 'Rename', 'toolFilters']) expect(text).toContain(part);
  });

  it('reports servers of one name with different definitions in two toolboxes', () => {
    const { config, toolboxes } = build({
      mode: 'flat',
      toolboxes: {
        t: { description: '', mcpServers: { a: { command: 'x' } } },
        u: { description: '', mcpServers: { a: { command: 'y' } } },
      },
    });
    expect(buildFlatNames(config, toolboxes, 'tools').collisions.get('a:read')).toHaveLength(2);
    expect(buildDynamicNames(config, toolboxes, { kind: 'tools' }).entries.has('t__a__read')).toBe(true);
    expect(buildDynamicNames(config, toolboxes, { kind: 'tools' }).entries.has('u__a__read')).toBe(true);
  });

  it('shows a shared server once in flat mode, with what any of its places shows', () => {
    const { config, toolboxes } = build({
      mode: 'flat',
      toolboxes: {
        t: { description: '', mcpServers: { a: { command: 'x', toolFilters: ['read'] } } },
        u: { description: '', mcpServers: { a: { command: 'x', toolFilters: ['write'] } } },
      },
    });
    expect([...buildFlatNames(config, toolboxes, 'tools').entries.keys()]).toEqual(['a:read', 'a:write']);
  });

  it('keeps reserved names for ourselves', () => {
    const { config, toolboxes } = build({
      mode: 'dynamic',
      toolboxes: { t: { description: '', mcpServers: { a: { command: 'x' } } } },
    });
    expect(
      buildDynamicNames(config, toolboxes, { kind: 'tools', reserved: ['t__a__read'] }).collisions.has('t__a__read'),
    ).toBe(true);
  });

  it('applies the filters of a placement', () => {
    const { toolboxes } = build({
      toolboxes: { t: { description: '', mcpServers: { a: { command: 'x', toolFilters: ['*', '!write'] } } } },
    });
    const [toolbox] = toolboxes;
    expect(toolbox && findEntry(toolbox, 'tools', { server: 'a', name: 'write' })).toBeUndefined();
    expect(toolbox && findEntry(toolbox, 'tools', { server: 'a', name: 'read' })?.address.toolbox).toBe('t');
  });

  it('keeps kinds apart: a prompt and a tool may have one name, and filters are for tools', () => {
    const { config, toolboxes } = build({
      mcpServers: { a: { command: 'x', prefix: false, toolFilters: ['!ask', '!read'] } },
    });
    expect([...buildFlatNames(config, toolboxes, 'prompts').entries.keys()]).toEqual(['read', 'ask']);
    expect([...buildFlatNames(config, toolboxes, 'tools').entries.keys()]).toEqual(['write', 'open_toolbox']);
    const names = [...buildDynamicNames(config, toolboxes, { kind: 'prompts' }).entries.keys()];
    expect(names).toEqual(['default__a__read', 'default__a__ask']);
  });

  it('says of prompts that collide that they are prompts, and does not advise a filter', () => {
    const { config, toolboxes } = build({
      mcpServers: { a: { command: 'x', prefix: false }, b: { command: 'y', prefix: false } },
    });
    const text = describeCollision('ask', buildFlatNames(config, toolboxes, 'prompts').collisions.get('ask') ?? []);
    expect(text).toContain('a prompt');
    expect(text).not.toContain('toolFilters');
  });
});
