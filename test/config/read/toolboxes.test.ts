import { describe, expect, it } from 'vitest';
import type { Config } from '../../../src/config/model/config.ts';
import { failure, parse, spots } from '../support.ts';

const [a, b] = [{ command: 'a' }, { command: 'b' }];

/** Toolboxes as `name: server=key …`. */
function layout(config: Config): string[] {
  return [...config.toolboxes.values()].map(
    ({ name, placements }) => `${name}: ${placements.map(({ server, key }) => `${server}=${key}`).join(' ')}`,
  );
}

describe('toolboxes', () => {
  it('may name top-level servers, and the others form the toolbox default', () => {
    const config = parse({ mcpServers: { a, b, c: a }, toolboxes: { t: { servers: ['b'] } } });
    expect(layout(config)).toEqual(['t: b=b', 'default: a=a c=c']);
    expect(config.toolboxes.get('default')?.description).toBe('Servers outside any toolbox');
  });

  it('leave no default when all servers are named', () => {
    expect(layout(parse({ mcpServers: { a }, toolboxes: { t: { servers: ['a'] } } }))).toEqual(['t: a=a']);
  });

  it('called default take the other servers in', () => {
    const toolboxes = { default: { description: 'mine', mcpServers: { b } } };
    const config = parse({ mcpServers: { a }, toolboxes });
    expect(layout(config)).toEqual(['default: b=b a=a']);
    expect(config.toolboxes.get('default')?.description).toBe('mine');
  });

  it('may have own servers and named ones, with the filters of each server', () => {
    const config = parse({
      mcpServers: { a: { ...a, toolFilters: ['x'] } },
      toolboxes: { t: { mcpServers: { b: { ...b, toolFilters: ['y'] } }, servers: ['a'] } },
    });
    expect(config.toolboxes.get('t')?.placements).toEqual([
      { server: 'b', key: 'b', toolFilters: ['y'] },
      { server: 'a', key: 'a', toolFilters: ['x'] },
    ]);
  });

  it('without servers are noted', () => {
    const config = parse({ mcpServers: { a }, toolboxes: { t: {} } });
    expect(config.notes.map(({ message }) => message)).toEqual(['toolbox "t" has no servers']);
  });

  it('may not name a server that is not there', () => {
    const error = failure({ mcpServers: { github: a }, toolboxes: { t: { servers: ['githbu', 'constructor'] } } });
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1408', 'WB1408']);
    expect(error.message).toContain('names the server "githbu", which is not in "mcpServers" – did you mean "github"?');
  });

  it('naming a server with a mistake of its own say nothing more', () => {
    const error = failure({ mcpServers: { x: {} }, toolboxes: { t: { servers: ['x'] } } });
    expect(error.problems).toHaveLength(1);
  });

  it.each([
    ['its own and a named one', { mcpServers: { a }, toolboxes: { t: { mcpServers: { a: b }, servers: ['a'] } } }],
    ['one named twice', { mcpServers: { a }, toolboxes: { t: { servers: ['a', 'a'] } } }],
    ['its own and one left over', { mcpServers: { a }, toolboxes: { default: { mcpServers: { a: b } } } }],
  ])('may not have two servers of one name: %s', (_, file) => {
    const error = failure(file);
    expect(error.code).toBe('WB1405');
    expect(error.message).toContain('has two servers called "a"');
  });

  it('may be called like what every object has', () => {
    const text = '{"mode":"meta","toolboxes":{"constructor":{"mcpServers":{"toString":{"command":"x"}}}}}';
    expect(layout(parse(text))).toEqual(['constructor: toString=toString']);
  });
});

describe('one server in several toolboxes', () => {
  it('is one server when its definition is the same', () => {
    const one = { command: 'a', env: { A: '1', B: '2' }, toolFilters: ['x'] };
    const same = { command: 'a', env: { B: '${TWO}', A: '1' }, timeoutMs: 600_000, toolFilters: ['y'] };
    const toolboxes = { t: { mcpServers: { s: one } }, u: { mcpServers: { s: same } } };
    const config = parse({ toolboxes }, { env: { TWO: '2' } });
    expect(layout(config)).toEqual(['t: s=s', 'u: s=s']);
    expect(config.servers.size).toBe(1);
    expect(config.toolboxes.get('u')?.placements[0]?.toolFilters).toEqual(['y']);
  });

  it.each([
    { command: 'b' },
    { command: 'a', args: ['x'] },
    { command: 'a', env: { A: 'x' } },
    { command: 'a', cwd: 'x' },
    { command: 'a', disabled: true },
    { command: 'a', timeoutMs: 1 },
    { command: 'a', startTimeoutMs: 1 },
    { command: 'a', prefix: false },
    { url: 'https://a' },
  ])('is another server when it says %j', (other) => {
    const file = { toolboxes: { t: { mcpServers: { s: a } }, u: { mcpServers: { s: other } } } };
    const config = parse(file);
    const keys = [...config.servers.keys()];
    expect(keys).toEqual(['s', expect.stringMatching(/^s#[0-9a-f]{6}$/)]);
    expect(layout(config)).toEqual(['t: s=s', `u: s=${keys[1]}`]);
    expect([...config.servers].every(([key, definition]) => definition.key === key && definition.name === 's')).toBe(
      true,
    );
    expect([...parse(file).servers.keys()]).toEqual(keys);
  });

  it('is another server under another name', () => {
    expect([...parse({ mcpServers: { a, c: a } }).servers.keys()]).toEqual(['a', 'c']);
  });
});

describe('servers given under both top-level keys', () => {
  it('are put together', () => {
    expect([...parse({ mcpServers: { a }, servers: { b } }).servers.keys()]).toEqual(['a', 'b']);
  });

  it('may not have the same name', () => {
    const text = '{\n"mcpServers": {"a": {"command": "a"}},\n"servers": {"a": {"command": "b"}}}';
    const error = failure(text);
    expect(spots(error, text)).toContainEqual(['WB1405', 3, 13]);
    expect(error.message).toContain('mcpServers.a and servers.a are the same server twice');
  });
});

describe('a plain file in mode meta', () => {
  const file = {
    mode: 'meta',
    mcpServers: {
      memory: { command: 'x', description: 'Remembers things' },
      'Microsoft Docs': { command: 'y', toolFilters: ['a'] },
      off: { command: 'z', disabled: true },
    },
  };

  it('has one toolbox for each server, called like it', () => {
    expect([...parse(file).toolboxes.values()]).toEqual([
      {
        name: 'memory',
        description: 'Remembers things',
        placements: [expect.objectContaining({ server: 'memory', key: 'memory', toolFilters: ['*'] })],
      },
      {
        name: 'Microsoft-Docs',
        description: '',
        placements: [expect.objectContaining({ server: 'Microsoft-Docs', key: 'Microsoft Docs', toolFilters: ['a'] })],
      },
      { name: 'off', description: '', placements: [expect.objectContaining({ server: 'off', key: 'off' })] },
    ]);
  });

  it('has the same when the command line asks for the mode, and one toolbox for all in the other modes', () => {
    const { mode: _, ...plain } = file;
    expect([...parse(plain, { mode: 'meta' }).toolboxes.keys()]).toEqual(['memory', 'Microsoft-Docs', 'off']);
    expect([...parse(plain, { mode: 'dynamic' }).toolboxes.keys()]).toEqual(['default']);
    expect([...parse(plain).toolboxes.keys()]).toEqual(['default']);
  });

  it('still has the toolbox default for what no toolbox names, in a file with toolboxes', () => {
    const both = { ...file, toolboxes: { t: { description: 'd', servers: ['memory'] } } };
    expect([...parse(both).toolboxes.keys()]).toEqual(['t', 'default']);
  });
});

describe('a toolbox without a description', () => {
  const file = { toolboxes: { t: { mcpServers: { a: { command: 'x' } } } } };

  it('is noted where a model has to choose by it', () => {
    expect(parse(file).notes).toMatchObject([
      { code: 'WB1405', path: 'toolboxes.t', message: expect.stringContaining('has no "description"') },
    ]);
    expect(parse(file, { mode: 'flat' }).notes).toEqual([]);
  });
});
