import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { failure, options, parse } from '../support.ts';

describe('a plain file of Claude Desktop', () => {
  const config = parse({
    mcpServers: {
      memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
      files: { command: 'npx', args: ['-y', 'server-filesystem', '/tmp'], env: { DEBUG: '1' } },
    },
  });

  it('is served flat with all defaults', () => {
    expect(config).toMatchObject({
      path: '/project/workbench.jsonc',
      mode: 'flat',
      separator: ':',
      maxNameLength: undefined,
      safeNames: false,
      startWaitMs: 10_000,
      keepCatalog: true,
      pageSize: 10_000,
      secrets: [],
      notes: [],
    });
    expect(config.servers.get('memory')).toEqual({
      key: 'memory',
      name: 'memory',
      transport: {
        kind: 'stdio',
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-memory'],
        env: {},
        cwd: '/project',
      },
      disabled: false,
      timeoutMs: 600_000,
      startTimeoutMs: 60_000,
      prefix: true,
      shown: 'npx -y @modelcontextprotocol/server-memory',
    });
  });

  it('has exactly the toolbox default, holding all servers', () => {
    expect([...config.toolboxes.values()]).toEqual([
      {
        name: 'default',
        description: 'All configured servers',
        placements: [
          { server: 'memory', key: 'memory', toolFilters: ['*'] },
          { server: 'files', key: 'files', toolFilters: ['*'] },
        ],
      },
    ]);
  });
});

describe('a file of VS Code', () => {
  const file = (token: string) => ({
    inputs: [{ type: 'promptString', id: 'gh', password: true }],
    servers: {
      github: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: `Bearer ${token}` } },
      local: { type: 'stdio', command: 'npx', args: ['x'], cwd: '${workspaceFolder}/sub', sandboxEnabled: true },
    },
  });

  it('is read as it is, and what was understood or ignored is noted', () => {
    const config = parse(file('${env:GH}'), { dir: '/w/.vscode', env: { GH: 'gh-secret' } });
    expect(config.mode).toBe('flat');
    expect(config.servers.get('github')?.transport).toEqual({
      kind: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer gh-secret' },
      variant: 'streamable',
    });
    expect(config.servers.get('local')?.transport).toMatchObject({ cwd: '/w/sub' });
    expect(config.notes.map(({ code, path }) => [code, path])).toEqual([
      ['WB1402', 'inputs'],
      ['WB1402', 'servers'],
      ['WB1412', 'servers.local.sandboxEnabled'],
    ]);
  });

  it('is refused where it needs an input', () => {
    expect(failure(file('${input:gh}')).problems.map(({ code }) => code)).toEqual(['WB1102']);
  });
});

describe('the founding file with toolboxes', () => {
  const config = parse({
    toolboxes: {
      incidents: {
        description: 'Tools for incident analysis',
        mcpServers: {
          memory: { command: 'node', args: ['server.js'], env: {}, transport: 'stdio', toolFilters: ['*'] },
        },
      },
      dev: { description: 'Develop', mcpServers: { files: { command: 'npx', toolFilters: ['read_file'] } } },
    },
  });

  it('is served in mode meta, with its toolboxes and no other', () => {
    expect(config.mode).toBe('meta');
    expect([...config.toolboxes.values()]).toEqual([
      {
        name: 'incidents',
        description: 'Tools for incident analysis',
        placements: [{ server: 'memory', key: 'memory', toolFilters: ['*'] }],
      },
      {
        name: 'dev',
        description: 'Develop',
        placements: [{ server: 'files', key: 'files', toolFilters: ['read_file'] }],
      },
    ]);
    expect(config.notes).toEqual([]);
  });
});

describe('the text of a file', () => {
  it('may have comments, trailing commas, a byte order mark and Windows line ends', () => {
    const text = '\ufeff// hello\r\n{\r\n  /* x */ "mcpServers": { "a": { "command": "x", }, },\r\n}\r\n';
    expect([...parse(text).servers.keys()]).toEqual(['a']);
  });

  it('may have keys of its own that begin with x-, _, // or $', () => {
    const text =
      '{"$schema":"x","x-mine":1,"_a":1,"//":"c","mcpServers":{"a":{"command":"x","x-y":{},"//c":1,"_d":1}}}';
    expect(parse(text).notes).toEqual([]);
  });

  it('may be large', () => {
    const mcpServers: Record<string, object> = {};
    for (let index = 0; index < 5_000; index++) mcpServers[`s${index}`] = { command: 'x', args: ['y'.repeat(200)] };
    expect(parse({ mcpServers }).servers.size).toBe(5_000);
  });

  it('may leave a key out by writing null', () => {
    expect(parse({ mode: null, mcpServers: { a: { command: 'x', cwd: null, url: null } } }).mode).toBe('flat');
  });
});

describe('the mode', () => {
  const entry = { command: 'x' };
  it.each([
    ['asked for', { mode: 'meta', mcpServers: { a: entry } }, 'dynamic', 'dynamic'],
    ['in the file', { mode: 'dynamic', mcpServers: { a: entry } }, undefined, 'dynamic'],
    ['meta with toolboxes', { mcpServers: { a: entry }, toolboxes: { t: { servers: ['a'] } } }, undefined, 'meta'],
    ['flat without', { mcpServers: { a: entry } }, undefined, 'flat'],
    ['flat with toolboxes of which there are none', { mcpServers: { a: entry }, toolboxes: {} }, undefined, 'flat'],
  ] as const)('is the one %s', (_, file, mode, expected) => {
    expect(parse(file, { mode }).mode).toBe(expected);
  });
});

describe('a file without servers', () => {
  it.each([{}, { mode: 'flat' }, { toolboxes: {} }, { toolboxes: { t: { description: 'x' } } }])(
    'such as %j is refused with a file to paste',
    (file) => {
      const error = failure(file);
      expect(error.code).toBe('WB1405');
      expect(error.message).toContain('no servers');
      expect(error.message).toContain('"mcpServers": {');
    },
  );

  it.each([{ mcpServers: {} }, { servers: {} }, { toolboxes: { t: { mcpServers: {} } } }])(
    'such as %j is fine when it says so',
    (file) => {
      const config = parse(file);
      expect(config.servers.size).toBe(0);
      expect(config.notes.at(0)?.message).toContain('no servers yet');
    },
  );

  it.each([
    ['context_servers', 'Zed'],
    ['mcp', 'opencode'],
    ['extensions', 'Goose'],
    ['amp.mcpServers', 'Amp'],
  ])('but with %s is refused with the name of %s and the key to use', (key, client) => {
    const error = failure({ [key]: { a: { command: 'x' } } });
    expect(error.code).toBe('WB1405');
    expect(error.message).toContain(client);
    expect(error.message).toContain(`Rename "${key}" to "mcpServers"`);
  });

  it('is not what a file with mcpServers and a foreign key is', () => {
    const config = parse({ mcp: { allowed: [] }, mcpServers: { a: { command: 'x' } } });
    expect(config.notes.map(({ code, path }) => [code, path])).toEqual([['WB1402', 'mcp']]);
  });
});

describe('a configuration given as a value', () => {
  const { path: _, ...noPath } = options;

  it('is read like a file', () => {
    const config = parseConfigValue({ mcpServers: { a: { command: 'x' } } }, noPath);
    expect(config).toMatchObject({ path: undefined, mode: 'flat' });
    expect(config.servers.size).toBe(1);
  });

  it('has problems with a key but without lines', () => {
    const value = { mcpServers: { a: { command: 'x', timeoutMs: 0 } } };
    expect(() => parseConfigValue(value, noPath)).toThrow(
      /^✖ configuration mcpServers\.a\.timeoutMs {2}mcpServers\.a\.timeoutMs must be a whole number/,
    );
  });

  it('that cannot be written as JSON is refused', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.mcpServers = cyclic;
    expect(() => parseConfigValue(cyclic, noPath)).toThrow(expect.objectContaining({ code: 'WB1403' }));
    expect(() => parseConfigValue(undefined as never, noPath)).toThrow(expect.objectContaining({ code: 'WB1405' }));
  });
});
