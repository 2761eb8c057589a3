import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/config/model/config.ts';
import { listLeftOut } from '../../../src/config/model/left-out.ts';
import { configShape } from '../../../src/config/model/schema.ts';
import { failure, parse } from '../support.ts';

const server = { command: 'x' };
const read = (file: string | object, more: Parameters<typeof parse>[1] = {}) =>
  parse(file, { leaveOut: true, ...more });
const left = ({ leftOut }: Config) =>
  [...(leftOut?.servers.values() ?? [])].map(({ name, fault }) => [name, fault.code]);
const rightOf = ({ servers }: Config) => [...servers.values()].map(({ name }) => name);
const placesOf = (config: Config) =>
  Object.fromEntries(
    [...config.toolboxes.values()].map(({ name, placements }) => [
      name,
      placements.map(({ server: place, key }) => `${place}${config.leftOut?.servers.has(key) ? ' (left out)' : ''}`),
    ]),
  );

describe('a file with a wrong server', () => {
  const text = `{ "mcpServers": {
    "good": { "command": "x" },
    "bad": { "command": "x", "toolFilter": ["a"], "env": { "K": "\${NOT_SET}" } } } }`;

  it('gives the others, and the wrong one with its first problem, the place of it, and the number of the rest', () => {
    const config = read(text);
    expect(rightOf(config)).toEqual(['good']);
    const [bad] = config.leftOut?.servers.values() ?? [];
    expect(bad).toMatchObject({ name: 'bad', transport: 'stdio', shown: 'x' });
    expect(bad?.fault).toMatchObject({
      code: 'WB1401',
      message: expect.stringMatching(/"toolFilter".*\(line 3, column 30 of the configuration\), and 1 more$/),
      fix: 'Write "toolFilters" instead of "toolFilter".',
    });
    expect(bad?.fault.problems.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['WB1401', 3, 30],
      ['WB1102', 3, 66],
    ]);
  });

  it('is refused as a whole, with the same problems, where nothing may be left out', () => {
    expect(failure(text).problems).toEqual(read(text).leftOut?.error.problems);
  });

  it('keeps its place in the toolboxes, so that a call of it can say why it is not there', () => {
    expect(placesOf(read(text))).toEqual({ default: ['good', 'bad (left out)'] });
  });

  it('asks for the variables of the wrong one too: with them it would be another configuration', () => {
    expect(read(text).variables).toContain('NOT_SET');
  });
});

describe('of what is said twice', () => {
  it('in one server, that server is left out', () => {
    expect(left(read('{"mcpServers": {"a": {"command": "x", "command": "y"}, "b": {"command": "x"}}}'))).toEqual([
      ['a', 'WB1405'],
    ]);
  });

  it('both servers of one name are left out, as one', () => {
    const config = read('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}, "b": {"command": "x"}}}');
    expect([left(config), rightOf(config)]).toEqual([[['a', 'WB1405']], ['b']]);
  });

  it('a server of "mcpServers" and of "servers" is left out', () => {
    const config = read({ mcpServers: { a: server, b: server }, servers: { a: { command: 'y' } } });
    expect([left(config), rightOf(config)]).toEqual([[['a', 'WB1405']], ['b']]);
  });

  it('all servers of two records under one key are left out', () => {
    const config = read(
      '{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "y"}}, "servers": {"c": {"command": "x"}}}',
    );
    expect([left(config), rightOf(config)]).toEqual([[['b', 'WB1405']], ['c']]);
  });

  it('both toolboxes of one name are left out', () => {
    const config = read(
      '{"mcpServers": {"c": {"command": "x"}}, "toolboxes": {"t": {"mcpServers": {"a": {"command": "x"}}}, "t": {}}}',
    );
    expect([left(config), rightOf(config), [...(config.leftOut?.toolboxes.keys() ?? [])]]).toEqual([
      [['a', 'WB1405']],
      ['c'],
      ['t'],
    ]);
  });
});

describe('a wrong toolbox', () => {
  it.each([
    ['a name that is not allowed', { 'my box': { servers: ['a'], mcpServers: { own: server } } }, 'WB1406'],
    ['a misspelt key', { box: { servers: ['a'], mcpServers: { own: server }, descripton: 'x' } }, 'WB1401'],
    [
      'a description that is no text',
      { box: { servers: ['a'], mcpServers: { own: server }, description: 3 } },
      'WB1405',
    ],
  ])('(%s) is left out with its own servers; those it names are served outside', (_, toolboxes, code) => {
    const config = read({ mcpServers: { a: server }, toolboxes });
    expect(placesOf(config)).toEqual({ default: ['a'] });
    expect(left(config)).toEqual([['own', code]]);
    expect([...(config.leftOut?.toolboxes.values() ?? [])].map((fault) => fault.code)).toEqual([code]);
  });

  it('that is no object, or whose servers are no object, is left out', () => {
    const config = read({
      mcpServers: { a: server },
      toolboxes: { one: 3, two: { mcpServers: [] }, ok: { servers: ['a'] } },
    });
    expect(placesOf(config)).toEqual({ ok: ['a'] });
    expect([...(config.leftOut?.toolboxes.keys() ?? [])]).toEqual(['one', 'two']);
  });

  it('does not change the mode that the file has by its toolboxes', () => {
    expect(read({ mcpServers: { a: server }, toolboxes: { 'my box': {} } }).mode).toBe('meta');
    expect(read({ mcpServers: { a: server }, toolboxs: { box: {} } }).mode).toBe('meta');
  });
});

describe('a wrong place in a toolbox', () => {
  it('costs that place: a name that is not there', () => {
    const config = read({ mcpServers: { a: server }, toolboxes: { box: { servers: ['a', 'b'] } } });
    expect(placesOf(config)).toEqual({ box: ['a', 'b (left out)'] });
  });

  it('costs that place: a name for two servers, which leads to neither of them', () => {
    const toolboxes = { box: { mcpServers: { a: { command: 'y' }, c: server }, servers: ['a'] } };
    const config = read({ mcpServers: { a: server }, toolboxes });
    expect(placesOf(config)).toEqual({ box: ['a (left out)', 'c'], default: ['a'] });
  });

  it('costs that place: something that is no name', () => {
    const config = read({ mcpServers: { a: server }, toolboxes: { box: { servers: ['a', 3] } } });
    expect(placesOf(config)).toEqual({ box: ['a'] });
    expect(listLeftOut(config.leftOut!).map(({ what }) => what)).toEqual(['toolboxes.box.servers[1]']);
  });

  it('shows a name as it is written, not what a variable made of it', () => {
    const config = read(
      { mcpServers: { a: server }, toolboxes: { box: { servers: ['a', '${X}'] } } },
      { env: { X: 'secret' } },
    );
    expect(JSON.stringify([placesOf(config), left(config)])).not.toContain('secret');
  });
});

describe('a mistake in a setting', () => {
  const withKey = (text: string) => `{${text}, "mcpServers": {"a": {"command": "x"}}}`;
  /** Each key with a wrong value, and what that costs. */
  const costs: Record<Exclude<keyof (typeof configShape)['members'], 'inputs'>, 'start' | 'http' | 'nothing'> = {
    $schema: 'nothing',
    mode: 'nothing',
    separator: 'start',
    maxNameLength: 'nothing',
    safeNames: 'nothing',
    schemas: 'nothing',
    pinned: 'nothing',
    clients: 'nothing',
    startWaitMs: 'nothing',
    keepCatalog: 'nothing',
    pageSize: 'nothing',
    mcpServers: 'nothing',
    servers: 'nothing',
    toolboxes: 'nothing',
    http: 'http',
    auth: 'http',
    search: 'nothing',
    limits: 'start',
    results: 'nothing',
  };
  const costOf = (text: string) => {
    try {
      return read(text).leftOut?.closesHttp ? 'http' : 'nothing';
    } catch {
      return 'start';
    }
  };

  it('is decided on for every key that can be wrong', () => {
    expect([...Object.keys(costs), 'inputs'].sort()).toEqual(Object.keys(configShape.members).sort());
  });

  it.each(Object.entries(costs))('%s costs %s, beside itself', (key, cost) => {
    const other = key === 'mcpServers' ? '"servers": {"a": {"command": "x"}}' : '"mcpServers": {"a": {"command": "x"}}';
    expect(costOf(`{"${key}": 3.5, ${other}}`)).toBe(cost);
  });

  it.each([
    ['"atuh": {}', 'http'],
    ['"htpp": {}', 'http'],
    ['"limit": {}', 'start'],
    ['"seperator": "__"', 'start'],
    ['"moode": "flat"', 'nothing'],
    ['"auth": {"issuer": "https://a.example"}, "auth": {"issuer": "https://b.example"}', 'http'],
    ['"auth": {"issuer": "https://a.example", "scops": ["x"]}', 'http'],
    ['"auth": {"issuer": "${NOT_SET}"}', 'http'],
    ['"http": {"allowedOrigins": ["https://a.example/"]}', 'http'],
  ])('%s costs %s', (text, cost) => {
    expect(costOf(withKey(text))).toBe(cost);
  });

  it.each([
    ['"keepCatalog": "no"', false],
    ['"keepCatalogue": false', false],
    ['"mode": "metta"', true],
  ])('%s: what servers offer is kept only when nobody seems to have said otherwise (%s)', (text, kept) => {
    expect(read(withKey(text)).keepCatalog).toBe(kept);
  });

  it('about who may use which toolbox closes HTTP, where tokens open toolboxes', () => {
    const file = (auth: object) => ({
      auth: { issuer: 'https://a.example', ...auth },
      mcpServers: { secret: server },
      toolboxes: { box: { servers: ['secert'] }, other: { mcpServers: { x: server } } },
    });
    expect(read(file({})).leftOut?.closesHttp).toBe(true);
    expect(read(file({ allToolboxes: true })).leftOut?.closesHttp).toBe(false);
    expect(read({ ...file({}), auth: undefined }).leftOut?.closesHttp).toBe(false);
  });
});

describe('a file of which nothing is right', () => {
  it.each(['', '[]', '{', '{"mode": "flat"}', '{"mcp": {"a": {}}}', '{"toolboxes": {"my box": {}}}'])(
    'is refused: %s',
    (text) => {
      expect(() => read(text)).toThrow();
    },
  );

  it('but for servers that are left out is given, for whoever has served others before', () => {
    const config = read({ mcpServers: { a: {} } });
    expect([rightOf(config), left(config)]).toEqual([[], [['a', 'WB1405']]]);
  });
});
