import { describe, expect, it } from 'vitest';
import { buildLabels } from '../../../src/config/model/labels.ts';
import { isFlatName, isName, isServerName, suggestName } from '../../../src/config/model/names.ts';
import { checkSeparator } from '../../../src/config/model/separator.ts';
import { failure, parse } from '../support.ts';

describe('names', () => {
  it.each(['a', 'A-1_b', '_', '9', 'constructor'])('allow %j', (name) => {
    expect(isName(name)).toBe(true);
  });

  it.each(['', 'a__b', 'a b', 'ä', 'a.b', 'a/b', '__proto__', 'a\n'])('do not allow %j', (name) => {
    expect(isName(name)).toBe(false);
  });

  it.each([
    ['my server', 'my-server'],
    ['a__b', 'a_b'],
    ['über/x', 'uber-x'],
    ['@scope/pkg', 'scope-pkg'],
    ['日本', 'server'],
    ['', 'server'],
  ])('suggest for %j the allowed name %j', (name, expected) => {
    expect(suggestName(name, 'server')).toBe(expected);
    expect(isName(expected)).toBe(true);
  });

  it('of servers may be nearly anything in flat mode', () => {
    expect(isFlatName('my server: ä__')).toBe(true);
    expect(isFlatName('a\tb')).toBe(false);
    expect(isFlatName('')).toBe(false);
  });
});

describe('the label of a server', () => {
  const labelsOf = (...names: string[]) => [...buildLabels(names).values()];

  it('is its name where that is plain, and a plain form of it where it is not', () => {
    expect(labelsOf('files', 'Microsoft Docs', 'io.github.upstash/context7', '@scope/pkg', '日本')).toEqual([
      'files',
      'Microsoft-Docs',
      'context7',
      'scope-pkg',
      'server',
    ]);
  });

  it('is never that of another server, and does not depend on who comes first', () => {
    const names = ['a.b/x', 'c.d/x', 'x', 'My Box', 'My/Box', 'My-Box', '日本', '中国'];
    const labels = buildLabels(names);
    expect(new Set(labels.values()).size).toBe(names.length);
    expect([...labels.values()].every(isName)).toBe(true);
    expect(labels.get('a.b/x')).toBe('a-b-x');
    expect(labels.get('x')).toBe('x');
    expect(labels.get('My Box')).toMatch(/^My-Box-[0-9a-f]{6}$/);
    const reversed = buildLabels([...names].reverse());
    for (const [name, label] of labels) expect(reversed.get(name)).toBe(label);
  });

  it('is made for any name but an empty one, one with "__" and one with control characters', () => {
    expect(['Microsoft Docs', 'a/b', 'ä'].every(isServerName)).toBe(true);
    expect(['', 'a__b', 'a\n'].some(isServerName)).toBe(false);
  });

  it.each(['meta', 'dynamic'] as const)(
    'stands in the toolbox in mode %s, and the name of the server stays',
    (mode) => {
      const config = parse({
        mode,
        toolboxes: { docs: { description: 'd', mcpServers: { 'Microsoft Docs': { command: 'x' } }, servers: ['a/b'] } },
        mcpServers: { 'a/b': { command: 'y' } },
      });
      expect(config.toolboxes.get('docs')?.placements.map(({ server, key }) => [server, key])).toEqual([
        ['Microsoft-Docs', 'Microsoft Docs'],
        ['a-b', 'a/b'],
      ]);
      expect([...config.servers.values()].map(({ name }) => name)).toEqual(['Microsoft Docs', 'a/b']);
    },
  );

  it('is not needed in mode flat', () => {
    const config = parse({ mcpServers: { 'Microsoft Docs': { command: 'x' } } });
    expect(config.toolboxes.get('default')?.placements[0]?.server).toBe('Microsoft Docs');
  });
});

describe('a name that is not allowed', () => {
  const entry = { command: 'x' };

  it.each([
    ['a toolbox', { toolboxes: { 'my box': { mcpServers: { a: entry } } } }, 'Call it "my-box"'],
    ['a server of a toolbox', { toolboxes: { b: { mcpServers: { my__server: entry } } } }, 'Call it "my_server"'],
    ['a top-level server in meta mode', { mode: 'meta', mcpServers: { a__b: entry } }, 'Call it "a_b"'],
    [
      'a top-level server that a toolbox names in flat mode',
      { mode: 'flat', mcpServers: { a__b: entry }, toolboxes: { t: { servers: ['a__b'] } } },
      'Call it "a_b"',
    ],
    ['an empty server name in flat mode', { mcpServers: { '': entry } }, 'Call it "server"'],
  ])('of %s is refused with a suggestion', (_, file, fix) => {
    const error = failure(file);
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1406']);
    expect(error.message).toContain(fix);
  });

  it('is marked where it stands', () => {
    const text = '{\n  "toolboxes": {\n    "a__b": { "mcpServers": { "x": { "command": "x" } } }\n  }\n}';
    expect(failure(text).message).toContain(':3:5 ');
  });

  it('is fine for a top-level server in flat mode', () => {
    expect([...parse({ mcpServers: { 'my server': entry } }).servers.keys()]).toEqual(['my server']);
  });

  it('depends on the mode that was asked for, not on the one in the file', () => {
    expect(failure({ mcpServers: { a__b: entry } }, { mode: 'dynamic' }).code).toBe('WB1406');
    expect(parse({ mode: 'meta', mcpServers: { a__b: entry } }, { mode: 'flat' }).mode).toBe('flat');
  });
});

describe('the separator', () => {
  const empty = 'Separator cannot be empty. Use --separator <chars> with at least one character.';
  const white = 'Separator cannot contain whitespace. Use non-whitespace characters for --separator.';

  it.each([
    ['', empty],
    [' ', white],
    ['x y', white],
    ['\t', white],
    ['\u00a0', white],
  ])('may not be %j', (separator, text) => {
    expect(checkSeparator(separator)).toBe(text);
    expect(() => parse({ mcpServers: {} }, { separator })).toThrow(
      expect.objectContaining({ code: 'WB1409', message: text }),
    );
    const error = failure({ separator, mcpServers: { a: { command: 'x' } } });
    expect(error.problems).toMatchObject([{ code: 'WB1409', message: text, path: 'separator' }]);
  });

  it.each([':', '__', '::', '→', '-'])('may be %j', (separator) => {
    expect(checkSeparator(separator)).toBeUndefined();
    expect(parse({ separator, mcpServers: {} }).separator).toBe(separator);
  });

  it('is what was asked for, else what the file says, else a colon', () => {
    expect(parse({ separator: '.', mcpServers: {} }, { separator: '/' }).separator).toBe('/');
    expect(parse({ mcpServers: {} }).separator).toBe(':');
  });
});
