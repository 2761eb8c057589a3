import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { Workbench } from '../../src/workbench/workbench.ts';
import { buildCall, createSession } from '../downstream/fake-server.ts';
import { createFakeServer, type Manner } from '../downstream/link/link-world.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const address = { toolbox: 'box', server: 'one', name: 'plain' };

function setUp(entry: JsonObject = {}, manner: Manner = 'serve') {
  const clock = createFakeClock();
  const server = createFakeServer(clock);
  server.manner = manner;
  const running = new Map<number, string>();
  const toolboxes = { box: { description: 'Box', mcpServers: { one: { command: 'x', ...entry } } } };
  const workbench = new Workbench({
    config: parseConfigValue({ limits: { callsPerServer: 2 }, toolboxes }, { dir: '/', env: {} }),
    identity: { name: 'w', version: '0' },
    clock,
    startLocal: server.startLocal,
    processes: {
      started(name, pid) {
        running.set(pid, name);
        return () => running.delete(pid);
      },
    },
  });
  workbench.admit('many');
  /** Begins a call of a client of its own, and gives how it ended. */
  const begin = async (name: string) => {
    const ended: unknown[] = [];
    workbench.forward(address, buildCall({ client: createSession(name) })).then(
      () => ended.push('answered'),
      (error: unknown) => ended.push(String(error)),
    );
    await clock.advance(0);
    return ended;
  };
  return { clock, server, workbench, running, begin };
}

const busy = [expect.stringMatching(/^Busy: busy: server 'one' has 2 calls/)];

describe('calls over the limit of a server', () => {
  it.each([
    ['that all clients share', {}],
    ['that every client has for itself', { sharing: 'perSession' }],
    ['that every call has for itself', { sharing: 'perCall' }],
  ])('calls over the limit of a server are refused at once by one %s, until others are answered', async (_, entry) => {
    const { clock, server, begin } = setUp(entry);
    const open = [await begin('a'), await begin('b')];
    expect([open, await begin('c')]).toEqual([[[], []], busy]);
    server.last.answer();
    await clock.advance(0);
    expect(open).toEqual([[], ['answered']]);
    expect(await begin('d')).toEqual([]);
  });

  it('calls over the limit of a server are refused while the others wait for the server to start', async () => {
    const { server, begin } = setUp({}, 'mute');
    const open = [await begin('a'), await begin('b')];
    expect([open, await begin('c')]).toEqual([[[], []], busy]);
    expect(server.processes).toHaveLength(1);
  });

  it('calls over the limit of a server are a failure with a code for a program', async () => {
    const { workbench, begin } = setUp();
    for (const name of ['a', 'b']) await begin(name);
    await expect(workbench.call(address, { arguments: {} })).rejects.toMatchObject({ code: 'WB1019' });
  });
});

describe('a server that does not read', () => {
  it.each([
    ['that all clients share', {}],
    ['that every client has for itself', { sharing: 'perSession' }],
  ])('a server that does not read is sent no further call, until it reads again: one %s', async (_, entry) => {
    const { server, begin } = setUp(entry);
    const sent = () => server.processes.flatMap(({ calls }) => calls).length;
    await begin('a');
    server.waiting = 64 * 1_024 * 1_024 + 1;
    expect(await begin('a')).toEqual([
      "Busy: busy: server 'one' does not read what it is sent. Nothing was done; try again in a moment.",
    ]);
    expect(sent()).toBe(1);
    server.waiting -= 1;
    expect(await begin('b')).toEqual([]);
    expect(sent()).toBe(2);
  });
});

describe('the processes that are written down', () => {
  it('the processes that are written down are those that all share and those of single clients, for as long as each runs', async () => {
    const { clock, server, workbench, running, begin } = setUp({ sharing: 'perSession' });
    for (const name of ['a', 'b']) await begin(name);
    expect([...running]).toEqual([
      [1, 'one'],
      [2, 'one'],
      [3, 'one'],
    ]);
    server.last.exit();
    await clock.advance(0);
    expect([...running.keys()]).toEqual([1, 2]);
    await workbench.close();
    expect(running.size).toBe(0);
  });
});
