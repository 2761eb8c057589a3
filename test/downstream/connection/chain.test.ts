import { describe, expect, it } from 'vitest';
import { toConfigId } from '../../../src/config/file/find-trail.ts';
import type { ServerDefinition } from '../../../src/config/model/config.ts';
import { type ChainOptions, createChain } from '../../../src/downstream/connection/chain.ts';

const path = '/home/me/one.json';
const id = toConfigId(path);
const stdio = { kind: 'stdio', command: 'x', args: [], env: {}, cwd: '/work' } as const;
const server = (transport: ServerDefinition['transport'] = stdio) =>
  ({ key: 'near', name: 'near', transport }) as ServerDefinition;
const http = (url: string) => server({ kind: 'http', url, headers: {}, variant: 'auto' });
const stranger = { id: '00000000000000aa', pid: 1 };

function chain(options: Partial<ChainOptions> = {}) {
  return createChain({
    config: path,
    pid: 7,
    now: () => 0,
    above: () => [],
    findOwnEntry: () => undefined,
    ...options,
  });
}
const own = (config: string | undefined) => ({ findOwnEntry: () => ({ config }) });

describe('a server', () => {
  it('is started when nothing speaks against it', () => {
    expect(chain().findRefusal(server())).toBeUndefined();
    expect(chain({ above: () => [stranger] }).findRefusal(server())).toBeUndefined();
  });

  it('is left out when it is this program with this configuration, or with none that is named', () => {
    expect(chain(own(path)).findRefusal(server())).toMatchObject({ code: 'WB1023' });
    expect(chain(own(undefined)).findRefusal(server())?.message).toContain("Server 'near' is mcp-workbench itself");
  });

  it('may be a Workbench with another configuration, but not behind one that is behind another', () => {
    expect(chain(own('/home/me/two.json')).findRefusal(server())).toBeUndefined();
    const behind = chain({ ...own('/home/me/two.json'), above: () => [stranger] });
    expect(behind.findRefusal(server())).toMatchObject({ code: 'WB1023' });
  });

  it('is not started by a Workbench that the same configuration has started, nor by the third in a row', () => {
    for (const above of [[{ id, pid: 5 }], [{ id, pid: 5 }, stranger], [stranger, stranger]]) {
      expect(chain({ above: () => above }).findRefusal(server())).toMatchObject({ code: 'WB1023' });
      expect(chain({ above: () => above }).findRefusal(http('https://far.example/mcp'))).toBeDefined();
    }
  });

  it('is told who leads to it only where it runs on this machine', () => {
    const told = chain({ above: () => [stranger] });
    for (const near of [server(), http('http://127.0.0.1:1/mcp'), http('http://[::1]:1/'), http('http://localhost/')])
      expect(told.trailFor(near)).toEqual([stranger.id, id]);
    for (const far of ['https://far.example/mcp', 'http://10.0.0.1/mcp', 'https://localhost.example/'])
      expect(told.trailFor(http(far))).toEqual([]);
    const unnamed = chain({ config: undefined });
    expect(unnamed.trailFor(server())).toEqual([]);
    expect(unnamed.trailFor(http('http://127.0.0.1:1/mcp'))).toEqual([unnamed.id]);
    expect(told.steps).toEqual([stranger, { id, pid: 7 }]);
  });

  it('is not used when it leads back here', () => {
    expect(chain().reached(server(), [stranger.id])).toBeUndefined();
    expect(chain().reached(server(), [stranger.id, id])).toMatchObject({ code: 'WB1023' });
  });

  it('is not used when it is the way by which a client has just come', () => {
    let now = 0;
    const asked = chain({ now: () => now });
    expect(asked.met([stranger.id])).toBe(false);
    expect(asked.met([stranger.id, id])).toBe(true);
    expect(asked.reached(server(), [stranger.id])).toMatchObject({ code: 'WB1023' });
    now = 120_000;
    expect(asked.reached(server(), [stranger.id])).toBeUndefined();
    expect(asked.reaches(['near'])).toEqual([id, stranger.id]);
    expect(asked.reaches([])).toEqual([id]);
  });
});
