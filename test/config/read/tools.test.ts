import { describe, expect, it } from 'vitest';
import { failure, parse } from '../support.ts';

const start = { command: 'server' };
const fileOf = (tools: object, more: object = {}) => ({ mcpServers: { gh: { ...start, tools, ...more } } });
const shapesOf = (file: object, env: Record<string, string> = {}) => {
  const [toolbox] = parse(file, { env }).toolboxes.values();
  return toolbox?.placements[0]?.shapes ?? [];
};
const messagesOf = (tools: object) => failure(fileOf(tools)).problems.map(({ code, message }) => `${code} ${message}`);

describe('tools of a server', () => {
  it('are read with their place, patterns first', () => {
    const tools = {
      create: {
        name: 'new',
        title: 'T',
        description: 'D',
        aliases: ['old'],
        annotations: { readOnlyHint: false, icon: 'x' },
      },
      'get_*': { hidden: true },
    };
    expect(shapesOf(fileOf(tools))).toEqual([
      { match: 'get_*', path: 'mcpServers.gh.tools["get_*"]', hidden: true },
      {
        match: 'create',
        path: 'mcpServers.gh.tools.create',
        name: 'new',
        title: 'T',
        description: 'D',
        aliases: ['old'],
        annotations: { readOnlyHint: false, icon: 'x' },
      },
    ]);
  });

  it('fix, fill, hide and describe arguments; variables are filled in and never shown', () => {
    const args = {
      owner: { value: '${ORG}' },
      labels: { default: ['bot', 1, null] },
      nothing: { value: null },
      force: { hidden: true },
      body: { description: 'Text.' },
      token: { value: 'abc' },
    };
    const [shape] = shapesOf(fileOf({ create: { arguments: args } }), { ORG: 'acme' });
    const at = (name: string) => `mcpServers.gh.tools.create.arguments.${name}`;
    expect(shape?.arguments).toEqual([
      { name: 'owner', path: at('owner'), rule: { kind: 'fixed', value: 'acme', secret: true, shown: '•••${ORG}•••' } },
      {
        name: 'labels',
        path: at('labels'),
        rule: { kind: 'default', value: ['bot', 1, null], secret: false, shown: '["bot",1,null]' },
      },
      { name: 'nothing', path: at('nothing'), rule: { kind: 'fixed', value: null, secret: false, shown: 'null' } },
      { name: 'force', path: at('force'), rule: { kind: 'hidden' } },
      { name: 'body', path: at('body'), description: 'Text.' },
      { name: 'token', path: at('token'), rule: { kind: 'fixed', value: 'abc', secret: true, shown: '•••' } },
    ]);
  });

  it('keep the value of a fixed argument out of everything that is printed', () => {
    const file = fileOf({
      create: { arguments: { owner: { value: { deep: ['${ORG}'] } }, token: { value: ['abc'] } } },
    });
    const { secrets } = parse(file, { env: { ORG: 'acme' } });
    expect(secrets.map(({ value }) => value)).toEqual(expect.arrayContaining(['acme', 'abc']));
  });

  it('of a toolbox come after those of the server, so that they win', () => {
    const file = {
      mcpServers: { gh: { ...start, tools: { create: { name: 'a' } } } },
      toolboxes: { box: { description: 'B', servers: ['gh'], tools: { gh: { '*': { hidden: true } } } } },
    };
    expect(shapesOf(file).map(({ match }) => match)).toEqual(['create', '*']);
  });

  it.each([
    ['a server that the toolbox does not have', 'WB1408', { nosuch: {} }],
    ['a misspelt key', 'WB1401', { gh: { create: { descripton: 'x' } } }],
  ])('of a toolbox with a mistake are refused: %s', (_, code, tools) => {
    const file = { mcpServers: { gh: start }, toolboxes: { box: { description: 'B', servers: ['gh'], tools } } };
    expect(failure(file).problems.map((problem) => problem.code)).toEqual([code]);
  });

  it.each([
    [{ create: 'new' }, 'WB1405 tool "create" must be an object, not a string'],
    [{ create: { nmae: 'x' } }, 'WB1401 unknown key "nmae" in tool "create" – did you mean "name"?'],
    [{ create: { name: '' } }, 'WB1405 mcpServers.gh.tools.create has a name for a tool that is empty'],
    [{ create: { aliases: ['a\u200bb'] } }, 'WB1405 mcpServers.gh.tools.create has a name for a tool that is empty'],
    [{ 'get_*': { name: 'x' } }, 'WB1405 "name" cannot be given for the pattern "get_*"'],
    [
      { a: { name: 'x' }, b: { name: 'x' } },
      'WB1405 mcpServers.gh.tools.b and mcpServers.gh.tools.a give two tools the name "x"',
    ],
    [
      { a: { aliases: ['b'] }, b: { title: 'B' } },
      'WB1405 mcpServers.gh.tools.a and mcpServers.gh.tools.b give two tools the name "b"',
    ],
    [
      { a: { annotations: { readOnlyHint: 'yes' } } },
      'WB1405 mcpServers.gh.tools.a.annotations.readOnlyHint must be true or false',
    ],
    [
      { a: { arguments: { x: { value: 1, hidden: true } } } },
      'WB1405 argument "x" has more than one of "value", "default" and "hidden": true',
    ],
    [{ a: { arguments: { x: { value: '${NOT_SET}' } } } }, 'WB1102 the variable NOT_SET is not set'],
  ])('with a mistake are refused: %j', (tools, message) => {
    expect(messagesOf(tools)).toEqual([expect.stringContaining(message)]);
  });

  it('as a list are filters, as in other clients', () => {
    const [toolbox] = parse(fileOf(['create'])).toolboxes.values();
    expect(toolbox?.placements[0]).toMatchObject({ toolFilters: ['create'] });
    expect(toolbox?.placements[0]?.shapes).toBeUndefined();
  });

  it('of FastMCP and Codex are read as what they mean', () => {
    const tools = {
      a: { enabled: false, tags: ['x'] },
      b: { arguments: { u: { default: 'metric', hide: true }, v: { hide: true }, w: { name: 'city' } } },
      c: { name: 'd', approval_mode: 'prompt' },
    };
    const { notes, toolboxes } = parse(fileOf(tools));
    const shapes = [...toolboxes.values()][0]?.placements[0]?.shapes;
    expect(shapes).toMatchObject([
      { match: 'a', hidden: true },
      {
        match: 'b',
        arguments: [{ rule: { kind: 'fixed', value: 'metric' } }, { rule: { kind: 'hidden' } }, { name: 'w' }],
      },
      { match: 'c', name: 'd' },
    ]);
    expect(notes.map(({ code }) => code).sort()).toEqual(['WB1402', 'WB1402', 'WB1402', 'WB1402', 'WB1402', 'WB1412']);
  });
});
