import { describe, expect, it } from 'vitest';
import { expandText } from '../../../src/config/values/expand.ts';
import { findVariable } from '../../../src/config/values/find-variable.ts';
import { failure, parse, serverOf } from '../support.ts';

const env = new Map([
  ['NAME', 'value'],
  ['EMPTY', ''],
  ['SPACED', 'two  words'],
  ['NESTED', '${NAME}'],
]);
const variables = {
  find: (name: string) => env.get(name),
  readFile: (path: string) => (path === '~/token' ? 'from-file' : undefined),
  workspaceFolder: '/home/me/project',
  userHome: '/home/ann',
  pathSeparator: '/',
};

describe('variables in a string', () => {
  it.each([
    ['plain', 'plain'],
    ['${NAME}', 'value'],
    ['a${NAME}b${NAME}c', 'avaluebvaluec'],
    ['${env:NAME}', 'value'],
    ['${env:MISSING:-d}', 'd'],
    ['${EMPTY}', ''],
    ['${EMPTY:-default}', ''],
    ['${MISSING:-}', ''],
    ['${MISSING:-a:-b}', 'a:-b'],
    ['${MISSING:-https://x/?a=1}', 'https://x/?a=1'],
    ['${SPACED}', 'two  words'],
    ['${NESTED}', '${NAME}'],
    ['${MISSING:-${NAME}}', '${NAME}'],
    ['${NAME:-${NAME}}!', 'value!'],
    ['${workspaceFolder}/x', '/home/me/project/x'],
    ['${workspaceRoot}', '/home/me/project'],
    ['${workspaceFolderBasename}', 'project'],
    ['${userHome}', '/home/ann'],
    ['a${pathSeparator}b${/}c', 'a/b/c'],
    ['x-{env:NAME}-y', 'x-value-y'],
    ['{env:NAME}${NAME}{file:~/token}', 'valuevaluefrom-file'],
    ['${file:~/token}', 'from-file'],
    ['{env:}', '{env:}'],
    ['{"env":"NAME"}', '{"env":"NAME"}'],
    ['$NAME', '$NAME'],
    ['$${NAME}', '$value'],
    ['%NAME%', '%NAME%'],
    ['${toString:-own}', 'own'],
    ['${__proto__:-own}', 'own'],
  ])('expands %j to %j', (text, expected) => {
    expect(expandText(text, variables).text).toBe(expected);
  });

  it.each(['${}', '${ NAME }', '${NAME', '${1A}', '${file:}', '${NAME:default}', '${A-b}', '${env:}'])(
    'leaves %j as it is and says so',
    (text) => {
      const { text: expanded, faults } = expandText(text, variables);
      expect(expanded).toBe(text);
      expect(faults.map(({ kind }) => kind)).toEqual(['unknown']);
    },
  );

  it.each([
    ['$NAME', ['bare']],
    ['Bearer $GITHUB_TOKEN', ['bare']],
    ['$HOME/notes', ['bare']],
    ['%APPDATA%\\x', ['bare']],
    ['$5', []],
    ['^[A-Z]+$', []],
    ['$schema', []],
    ['%20%2F%E2%82', []],
    ['echo $HOME and go', []],
    ['{env:NAME}', ['foreign']],
    ['{env:GONE}', ['foreign', 'unset']],
    ['{file:gone}', ['file']],
    ['${file:gone}', ['file']],
    ['${fileDirname}', ['editor']],
    ['${command:x.y}', ['unknown']],
  ])('tells of %j: %j', (text, kinds) => {
    expect(expandText(text, variables).faults.map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['$NAME', '${NAME}'],
    ['%APPDATA%', '${APPDATA}'],
    ['${{ secrets.GITHUB_TOKEN }}', '${GITHUB_TOKEN}'],
    ['${ NAME }', '${NAME}'],
    ['${NAME:default}', '${NAME:-default}'],
    ['${NAME-default}', '${NAME:-default}'],
    ['${workspaceFolder:api}', '${workspaceFolder}'],
    ['${config:x}', undefined],
  ])('says what to write instead of %j: %j', (text, instead) => {
    expect(expandText(text, variables).faults[0]?.instead).toBe(instead);
  });

  it('knows on Windows what stands between the parts of a path', () => {
    const windows = { ...variables, workspaceFolder: 'C:\\w\\api', pathSeparator: '\\' };
    expect(expandText('${workspaceFolderBasename}${pathSeparator}x', windows).text).toBe('api\\x');
  });

  it('tells what was unset and where it stands', () => {
    expect(expandText('ab${GONE}', variables).faults).toEqual([{ kind: 'unset', name: 'GONE', start: 2, length: 7 }]);
  });

  it.each(['${', '{env:', '{file:a', '$A', '%A', '${NAME:'])(
    'takes no longer for a hostile text of %j than its length calls for',
    (piece) => {
      const text = piece.repeat(100_000);
      expect(expandText(text, variables).text).toBe(text);
    },
  );
});

describe('looking a variable up', () => {
  it.each(['__proto__', 'constructor', 'toString'])('never finds %s on the prototype', (name) => {
    expect(findVariable({}, name, 'linux')).toBeUndefined();
  });

  it('ignores case on Windows only', () => {
    expect(findVariable({ Path: 'x' }, 'PATH', 'win32')).toBe('x');
    expect(findVariable({ Path: 'x' }, 'PATH', 'linux')).toBeUndefined();
  });
});

describe('variables in a file', () => {
  it('are expanded in every string value, and each value stays one argument', () => {
    const { definition } = serverOf(
      { command: '${CMD}', args: ['${ARGS}', '-x'], env: { A: '${A}' }, cwd: '${DIR}' },
      { env: { CMD: 'npx', ARGS: '-y two words', A: 'b c', DIR: 'sub' } },
    );
    expect(definition.transport).toEqual({
      kind: 'stdio',
      command: 'npx',
      args: ['-y two words', '-x'],
      env: { A: 'b c' },
      cwd: '/project/sub',
    });
  });

  it('are not expanded in keys', () => {
    const config = parse({ mcpServers: { '${A}': { command: 'x' } } }, { env: { A: 'b' } });
    expect([...config.servers.keys()]).toEqual(['${A}']);
  });

  it.each([
    ['linux', 'export API_KEY=…'],
    ['win32', '$env:API_KEY = "…"'],
  ] as const)('that are unset stop the start with name, place and the command for %s', (platform, command) => {
    const text = '{\n  "mcpServers": {\n    "a": { "command": "x", "env": { "K": "k-${API_KEY}" } }\n  }\n}';
    const error = failure(text, { platform });
    expect(error.code).toBe('WB1102');
    expect(error.message).toContain('/project/workbench.jsonc:3:45  the variable API_KEY is not set');
    expect(error.message).toContain('mcpServers.a.env.K');
    expect(error.message).toContain(command);
    expect(error.problems[0]).toMatchObject({ offset: text.indexOf('${API_KEY}'), length: '${API_KEY}'.length });
  });

  it('mark the whole string when it has escapes', () => {
    const text = '{"mcpServers":{"a":{"command":"x","args":["\\"${GONE}"]}}}';
    expect(failure(text).problems[0]).toMatchObject({ offset: text.indexOf('"\\"'), length: 11 });
  });

  it('that VS Code would ask for are refused with what to write instead', () => {
    const error = failure({ mcpServers: { a: { command: 'x', env: { T: '${input:gh-token}' } } } });
    expect(error.code).toBe('WB1102');
    expect(error.message).toContain('cannot ask');
    expect(error.message).toContain('${GH_TOKEN}');
  });

  it('of other clients are understood or noted, with what to write instead', () => {
    const { definition, config } = serverOf(
      { command: 'x', args: ['{env:A}', '{file:key.txt}', '$HOME/x'], env: { T: '$TOKEN' } },
      { env: { A: 'a' }, readText: (path) => (path === '/project/key.txt' ? 'the-key\n' : '') },
    );
    expect(definition.transport).toMatchObject({ args: ['a', 'the-key', '$HOME/x'], env: { T: '$TOKEN' } });
    expect(config.secrets).toContainEqual({ name: 'file', value: 'the-key' });
    expect(config.notes.map(({ path, fix }) => [path, fix])).toEqual([
      ['mcpServers.one.args[0]', undefined],
      ['mcpServers.one.args[2]', 'If the variable is meant, write ${HOME}.'],
      ['mcpServers.one.env.T', 'If the variable is meant, write ${TOKEN}.'],
    ]);
  });

  it('whose file cannot be read stop the server, with the path', () => {
    const error = failure({ mcpServers: { a: { command: 'x', env: { K: '{file:~/gone}' } } } });
    expect(error.code).toBe('WB1102');
    expect(error.message).toContain('the file "~/gone" that mcpServers.a.env.K takes its value from cannot be read');
  });

  it('that are no variables are left and noted', () => {
    const { definition, notes } = serverOf({ command: 'x', args: ['${a b}'] });
    expect(definition.transport).toMatchObject({ args: ['${a b}'] });
    expect(notes).toEqual(['WB1402 mcpServers.one.args[0] has a ${…} that is not a variable; it was left as it is']);
  });

  it('are only noted when missing in a disabled server', () => {
    const { config } = serverOf({ command: 'x', args: ['${GONE}'], disabled: true });
    expect(config.notes.map(({ code }) => code)).toEqual(['WB1102']);
  });

  it.each([
    ['/w/.vscode', '/w'],
    ['/w/.cursor', '/w'],
    ['/w', '/w'],
  ])('give %s the workspace folder %s', (dir, folder) => {
    const { definition } = serverOf({ command: 'x', args: ['${workspaceFolder}', '${userHome}'] }, { dir });
    expect(definition.transport).toMatchObject({ args: [folder, '/home/ann'], cwd: folder });
  });
});

describe('the variables of a configuration', () => {
  it('are all that the environment was asked for, set or not, and no others', () => {
    const file = {
      mcpServers: {
        a: { command: '${CMD}', args: ['${MISSING:-none}', '${workspaceFolder}', '$OTHER'], envFile: 'a.env' },
        b: { url: 'https://x/', headers: { Cookie: 'c=${FROM_FILE:-x}' }, disabled: true },
        c: { command: '${CMD}' },
      },
    };
    const readText = () => 'FROM_FILE=1\n';
    expect(parse(file, { env: { CMD: 'npx', OTHER: '1' }, readText }).variables).toEqual([
      'CMD',
      'MISSING',
      'FROM_FILE',
    ]);
  });
});
