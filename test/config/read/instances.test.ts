import { describe, expect, it } from 'vitest';
import { failure, parse } from '../support.ts';

const base = { command: 'pg', args: ['--base'], env: { A: '1', B: '2' }, toolFilters: ['!drop'], timeoutMs: 5 };
const instances = {
  eu: { description: 'Production', env: { B: 'eu' } },
  us: { args: ['--us'], env: { TOKEN: '${US_TOKEN:-x}' }, disabled: true },
};
const fileOf = (more: object = {}, mode = 'meta') => ({
  mode,
  mcpServers: { pg: { ...base, instances, ...more }, web: { url: 'https://x.example' } },
});

describe('a server with instances', () => {
  it('is a server for each of them, with what they share and what they differ in', () => {
    const { servers } = parse(fileOf());
    expect([...servers.keys()]).toEqual(['pg/eu', 'pg/us', 'web']);
    expect(servers.get('pg/eu')).toMatchObject({
      name: 'pg/eu',
      instanceOf: 'pg',
      disabled: false,
      timeoutMs: 5,
      transport: { command: 'pg', args: ['--base'], env: { A: '1', B: 'eu' } },
    });
    expect(servers.get('pg/us')).toMatchObject({
      disabled: true,
      transport: { args: ['--us'], env: { A: '1', B: '2', TOKEN: 'x' } },
    });
  });

  it('has one toolbox in mode meta, with a plain label for each place', () => {
    const { toolboxes } = parse(fileOf({ instanceArgument: 'region', defaultInstance: 'eu' }));
    expect([...toolboxes.keys()]).toEqual(['pg', 'web']);
    expect(toolboxes.get('pg')?.placements).toEqual([
      {
        server: 'pg-eu',
        key: 'pg/eu',
        toolFilters: ['!drop'],
        instance: {
          of: 'pg',
          name: 'eu',
          description: 'Production',
          argument: 'region',
          preset: true,
          usable: true,
          path: 'mcpServers.pg.instances',
        },
      },
      {
        server: 'pg-us',
        key: 'pg/us',
        toolFilters: ['!drop'],
        instance: {
          of: 'pg',
          name: 'us',
          description: '',
          argument: 'region',
          preset: false,
          usable: false,
          path: 'mcpServers.pg.instances',
        },
      },
    ]);
  });

  it('can be named by a toolbox, which may shape its tools', () => {
    const file = {
      ...fileOf(),
      toolboxes: { data: { description: 'D', servers: ['pg'], tools: { pg: { query: { name: 'ask' } } } } },
    };
    const [data] = parse(file).toolboxes.values();
    expect(data?.placements.map(({ key, shapes }) => [key, shapes?.[0]?.name])).toEqual([
      ['pg/eu', 'ask'],
      ['pg/us', 'ask'],
    ]);
  });

  it('keeps its other instances when one has a mistake', () => {
    const file = fileOf({ instances: { eu: {}, us: { env: { T: '${NOT_SET}' } } } });
    const { servers, leftOut, toolboxes } = parse(file, { leaveOut: true });
    expect([...servers.keys()]).toEqual(['pg/eu', 'web']);
    expect([...(leftOut?.servers.values() ?? [])]).toMatchObject([
      { key: 'pg/us', name: 'pg/us', fault: { code: 'WB1102' } },
    ]);
    expect(toolboxes.get('pg')?.placements.map(({ instance }) => instance?.usable)).toEqual([true, false]);
  });

  it('is left out as a whole when what they share has a mistake, which is told once', () => {
    const file = fileOf({ env: { T: '${NOT_SET}' } });
    expect(failure(file).problems.map(({ code }) => code)).toEqual(['WB1102']);
    expect([...parse(file, { leaveOut: true }).servers.keys()]).toEqual(['web']);
  });

  it.each([
    ['none', { instances: {} }, 'WB1405', '"instances" of server "pg" is empty'],
    ['no object', { instances: ['eu'] }, 'WB1405', '"instances" of server "pg" must be an object'],
    [
      'an instance that is no object',
      { instances: { eu: 'x', us: {} } },
      'WB1405',
      'instance "eu" of server "pg" must be an object',
    ],
    ['a name that is not allowed', { instances: { 'e u': {} } }, 'WB1406', 'the name of instance "e u"'],
    [
      'a key of the server',
      { instances: { eu: { toolFilters: [] } } },
      'WB1405',
      '"toolFilters" belongs to the server',
    ],
    ['a misspelt key', { instances: { eu: { comand: 'x' } } }, 'WB1401', 'did you mean "command"?'],
    ['a default that does not exist', { defaultInstance: 'asia' }, 'WB1405', 'server "pg" has no instance "asia"'],
    [
      'an argument that is not a name',
      { instanceArgument: 'a b' },
      'WB1405',
      'mcpServers.pg.instanceArgument must be a name',
    ],
  ])('is refused with %s', (_, more, code, message) => {
    expect(failure(fileOf(more)).problems).toMatchObject([{ code, message: expect.stringContaining(message) }]);
  });
});
