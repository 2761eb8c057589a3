import { describe, expect, it } from 'vitest';
import { failure, parse, serverOf } from '../support.ts';

describe('how a server is reached', () => {
  it.each([
    ['both command and url', { command: 'x', url: 'https://x' }, 'has both "command" and "url"'],
    ['neither', { args: [] }, 'has neither "command" nor "url"'],
    ['an empty command', { command: ' ' }, 'the "command" of server "one" is empty'],
    ['an address that is none', { url: 'example.com/mcp' }, 'http:// or https://'],
    ['an address of another kind', { url: 'unix:///x.sock' }, 'http:// or https://'],
    ['a command with an http transport', { command: 'x', type: 'http' }, 'has a "command", but its "type"'],
    ['an address with a stdio transport', { url: 'https://x', transport: 'stdio' }, 'has a "url", but its "transport"'],
    ['a transport nobody knows', { command: 'x', type: 'carrier-pigeon' }, 'must be one of "stdio"'],
    ['a header that is none', { url: 'https://x', headers: { 'a b': 'c' } }, 'is not a name of a header'],
    ['a header with a line break', { url: 'https://x', headers: { A: 'b\nc' } }, 'line break'],
    ['a variable name that is none', { command: 'x', env: { 'A=B': 'c' } }, 'contains "="'],
    ['a NUL character', { command: 'x', args: ['a\0b'] }, 'NUL'],
    ['no object', 'npx x', 'must be an object, not a string'],
    ['nothing', null, 'must be an object, not null'],
  ])('cannot be said by %s', (_, entry, text) => {
    const error = failure({ mcpServers: { one: entry } });
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1405']);
    expect(error.message).toContain(text);
  });

  it.each(['http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http', 'remote'])(
    'over HTTP may be called %s',
    (type) => {
      expect(serverOf({ url: 'https://x/mcp', type }).definition.transport.kind).toBe('http');
    },
  );

  it.each(['stdio', 'local'])('as a process may be called %s', (transport) => {
    expect(serverOf({ command: 'x', transport }).definition.transport.kind).toBe('stdio');
  });

  it('notes what has no effect', () => {
    const { config } = serverOf({ url: 'https://x', args: ['a'], env: {}, cwd: '.' });
    expect(config.notes.map(({ path }) => path)).toEqual(['mcpServers.one.args', 'mcpServers.one.cwd']);
  });

  it('keeps names from the prototype chain as plain names', () => {
    const text = `{"mcpServers":{
      "__proto__":{"command":"x","env":{"__proto__":"a","toString":"b"}},"constructor":{"command":"y"},"toString":{"command":"z"}}}`;
    const config = parse(text);
    expect([...config.servers.keys()]).toEqual(['__proto__', 'constructor', 'toString']);
    const { transport } = config.servers.get('__proto__')!;
    expect(Object.entries('env' in transport ? transport.env : {})).toEqual([
      ['__proto__', 'a'],
      ['toString', 'b'],
    ]);
  });
});

describe('paths of a server', () => {
  it.each([
    ['linux', 'npx', 'npx'],
    ['linux', './server.js', '/project/server.js'],
    ['linux', 'bin/run', '/project/bin/run'],
    ['linux', '/usr/bin/node', '/usr/bin/node'],
    ['linux', '~/bin/run', '/home/ann/bin/run'],
    ['linux', 'a\\b', 'a\\b'],
    ['win32', 'npx', 'npx'],
    ['win32', '.\\server.exe', 'C:\\project\\server.exe'],
    ['win32', './server.exe', 'C:\\project\\server.exe'],
    ['win32', 'D:\\x\\run.exe', 'D:\\x\\run.exe'],
    ['win32', '~\\run.exe', 'C:\\Users\\ann\\run.exe'],
  ] as const)('on %s turn the command %s into %s', (platform, command, expected) => {
    const windows = { dir: 'C:\\project', home: 'C:\\Users\\ann', platform };
    const { definition } = serverOf({ command }, platform === 'win32' ? windows : { platform });
    expect(definition.transport).toMatchObject({ command: expected });
  });

  it.each([
    [undefined, '/project'],
    ['.', '/project'],
    ['sub/x', '/project/sub/x'],
    ['../..', '/'],
    ['/abs', '/abs'],
    ['~', '/home/ann'],
    ['~/x', '/home/ann/x'],
  ])('turn the cwd %j into %s', (cwd, expected) => {
    expect(serverOf({ command: 'x', cwd: cwd ?? null }).definition.transport).toMatchObject({ cwd: expected });
  });

  it.each(['linux', 'win32'] as const)('leave cmd /c out on %s', (platform) => {
    const { definition, notes } = serverOf({ command: 'cmd', args: ['/c', 'npx', '-y', 'x'] }, { platform });
    expect(definition.transport).toMatchObject({ command: 'npx', args: ['-y', 'x'] });
    expect(notes).toEqual(['WB1402 "cmd /c" of server "one" is not needed and was left out']);
  });

  it('keep cmd /c where only a shell can take the command line apart', () => {
    const { definition } = serverOf({ command: 'cmd.exe', args: ['/C', 'npx -y x'] });
    expect(definition.transport).toMatchObject({ command: 'cmd.exe', args: ['/C', 'npx -y x'] });
  });
});

describe('keys of other clients', () => {
  it.each([
    [{ url: undefined, serverUrl: 'https://x/' }, { transport: { url: 'https://x/' } }],
    [{ httpUrl: 'https://x/' }, { transport: { url: 'https://x/' } }],
    [{ uri: 'https://x/' }, { transport: { url: 'https://x/' } }],
    [{ command: 'x', environment: { A: 'b' } }, { transport: { env: { A: 'b' } } }],
    [{ command: 'x', envs: { A: 'b' } }, { transport: { env: { A: 'b' } } }],
    [{ cmd: 'x' }, { transport: { command: 'x' } }],
    [{ command: ['npx', '-y', 'x'] }, { transport: { command: 'npx', args: ['-y', 'x'] } }],
    [{ command: ['npx'] }, { transport: { command: 'npx', args: [] } }],
    [{ command: 'x', enabled: false }, { disabled: true }],
    [{ command: 'x', enabled: true }, { disabled: false }],
    [{ command: 'x', enabled: false, disabled: true }, { disabled: true }],
  ])('are understood with a note: %j', (entry, expected) => {
    const { definition, notes } = serverOf(entry);
    expect(definition).toMatchObject(expected);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^WB1402 .*read as/);
  });

  it.each([
    [{ includeTools: ['a'] }, ['a']],
    [{ enabled_tools: ['a'] }, ['a']],
    [{ tools: ['*'] }, ['*']],
    [{ excludeTools: ['a', 'b'] }, ['!a', '!b']],
    [{ disabled_tools: ['a'] }, ['!a']],
    [{ disabledTools: ['a'] }, ['!a']],
    [{ toolFilters: ['a*'], excludeTools: ['ab'] }, ['a*', '!ab']],
    [{ tools: { x: {} } }, ['*']],
    [{ toolFilters: [] }, []],
  ])('for tools become filters: %j', (keys, filters) => {
    expect(serverOf({ command: 'x', ...keys }).placement.toolFilters).toEqual(filters);
  });

  it.each(['autoApprove', 'alwaysAllow', 'trust', 'timeout', 'source', 'dev', 'version', 'name'])(
    'such as %s are ignored with a note',
    (key) => {
      const { config } = serverOf({ command: 'x', [key]: 1 });
      expect(config.notes).toMatchObject([{ code: 'WB1402', path: `mcpServers.one.${key}` }]);
    },
  );

  it.each([
    [{ command: 'x', enabled: true, disabled: true }, '"enabled" and "disabled" contradict'],
    [{ url: 'https://a', serverUrl: 'https://b' }, '"url" and "serverUrl" contradict'],
    [{ command: ['a', 'b'], args: ['c'] }, '"command" and "args" contradict'],
  ])('may not contradict ours: %j', (entry, text) => {
    const error = failure({ mcpServers: { one: entry } });
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1405']);
    expect(error.message).toContain(text);
  });
});

describe('an unknown key', () => {
  it.each([
    [{ comand: 'x' }, 'comand', 'command'],
    [{ Command: 'x' }, 'Command', 'command'],
    [{ command: 'x', arg: [] }, 'arg', 'args'],
    [{ command: 'x', evn: {} }, 'evn', 'env'],
    [{ command: 'x', enviroment: {} }, 'enviroment', 'env'],
    [{ command: 'x', toolFilter: [] }, 'toolFilter', 'toolFilters'],
    [{ command: 'x', timeoutMS: 1 }, 'timeoutMS', 'timeoutMs'],
  ])('close to a known one is one error: %j', (entry, key, meant) => {
    const error = failure({ mcpServers: { files: entry } });
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1401']);
    expect(error.message).toContain(`unknown key "${key}" in server "files" – did you mean "${meant}"?`);
  });

  it.each(['banana', 'logs', 'constructor', 'toString'])('such as %s is only noted', (key) => {
    const { notes } = serverOf({ command: 'x', [key]: 1 });
    expect(notes).toEqual([`WB1402 the key "${key}" in server "one" is not known and is ignored`]);
  });

  it('is handled the same at the top and in a toolbox', () => {
    const entry = { command: 'x' };
    expect(failure({ mcpServer: { a: entry } }).message).toContain('did you mean "mcpServers"?');
    expect(failure({ toolbox: {}, mcpServers: { a: entry } }).message).toContain('did you mean "toolboxes"?');
    const typo = { toolboxes: { t: { mcpServer: { a: entry } } } };
    expect(failure(typo).message).toContain('in toolbox "t" – did you mean "mcpServers"?');
    expect(parse({ theme: 'dark', mcpServers: { a: entry } }).notes).toMatchObject([{ code: 'WB1402', path: 'theme' }]);
  });
});

describe('a value of the wrong type', () => {
  it.each([
    [{ mode: 'mta' }, 'mode must be one of "meta", "dynamic", "flat", "search", "auto" – did you mean "meta"?'],
    [{ maxNameLength: 15 }, 'maxNameLength must be a whole number from 16 to 128'],
    [{ maxNameLength: 129 }, 'maxNameLength must be a whole number from 16 to 128'],
    [{ maxNameLength: 20.5 }, 'maxNameLength must be a whole number'],
    [{ pageSize: 0 }, 'pageSize must be'],
    [{ startWaitMs: -1 }, 'startWaitMs must be'],
    [{ keepCatalog: 'no' }, 'keepCatalog must be true or false, not a string'],
    [{ safeNames: 'yes' }, 'safeNames must be true or false, not a string'],
    [{ separator: 1 }, 'separator must be a string, not a number'],
    [{ mcpServers: [] }, 'mcpServers must be an object of servers, not a list'],
    [{ toolboxes: [] }, 'toolboxes must be an object, not a list'],
    [{ toolboxes: { t: 1 } }, 'toolbox "t" must be an object, not a number'],
    [{ toolboxes: { t: { servers: {} } } }, 'toolboxes.t.servers must be a list of strings, not an object'],
    [{ toolboxes: { t: { servers: [1] } } }, 'toolboxes.t.servers[0] must be a string, not a number'],
    [{ mcpServers: { a: { command: 'x', args: 'y' } } }, 'mcpServers.a.args must be a list of strings, not a string'],
    [{ mcpServers: { a: { command: 'x', args: [1] } } }, 'Put the value into double quotes.'],
    [{ mcpServers: { a: { command: 'x', env: { PORT: 1 } } } }, 'mcpServers.a.env.PORT must be a string, not a number'],
    [{ mcpServers: { a: { command: 'x', envFile: 1 } } }, 'envFile must be a string'],
    [{ mcpServers: { a: { command: 'x', disabled: 'yes' } } }, 'disabled must be true or false, not a string'],
    [{ mcpServers: { a: { command: 'x', description: 1 } } }, 'description must be a string, not a number'],
    [{ mcpServers: { 'a b': { command: 1 } } }, 'mcpServers["a b"].command must be a string, not a number'],
  ])('is refused: %j', (file, text) => {
    const error = failure({ mcpServers: {}, ...file });
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1405']);
    expect(error.message).toContain(text);
  });

  it('does not show what a variable brought', () => {
    const error = failure({ mode: '${MODE}', mcpServers: {} }, { env: { MODE: 'very-secret' } });
    expect(error.message).not.toContain('very-secret');
  });
});
