import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../src/base/errors/errors.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { createFront } from '../../src/front/create-front.ts';
import { Workbench } from '../../src/workbench/workbench.ts';
import { buildCall, createSession } from '../downstream/fake-server.ts';
import { createFakeServer } from '../downstream/link/link-world.ts';
import { createFakeClock } from '../support/fake-clock.ts';

function setUp(file: JsonObject) {
  const clock = createFakeClock();
  const [first, second] = [createFakeServer(clock), createFakeServer(clock)];
  const workbench = new Workbench({
    config: parseConfigValue(file, { dir: '/', env: {} }),
    identity: { name: 'w', version: '0' },
    clock,
    random: () => 0,
    startLocal: (transport, handlers) =>
      (transport.args[0] === 'first' ? first : second).startLocal(transport, handlers),
  });
  const starts = () => [first.processes.length, second.processes.length];
  return { clock, workbench, first, second, starts };
}

const servers = {
  ahead: { command: 'x', args: ['first'], start: 'eager' },
  later: { command: 'x', args: ['second'] },
};
const toolboxes = { box: { description: 'Box', mcpServers: servers } };

describe('a server that is started eagerly', () => {
  it('a server that is started eagerly starts before any client comes, where many may come', async () => {
    const { clock, workbench, starts } = setUp({ toolboxes });
    workbench.admit('many');
    await clock.advance(0);
    expect(starts()).toEqual([1, 0]);
    expect(workbench.servers().map(({ state }) => state)).toEqual(['ready', 'configured']);
  });

  it('a server that is started eagerly starts with the only client, so that it can be told what that one can do', async () => {
    const { clock, workbench, starts } = setUp({ toolboxes });
    workbench.admit('one');
    await clock.advance(0);
    expect(starts()).toEqual([0, 0]);
    createFront(workbench, clock).connect(createSession('host'), { constantLists: false });
    await clock.advance(0);
    expect(starts()).toEqual([1, 0]);
  });

  it('a server that is started eagerly is started once, however many clients come and whatever becomes of it', async () => {
    const { clock, workbench, first } = setUp({ toolboxes });
    first.manner = new WorkbenchError('WB1001', 'not there');
    workbench.admit('many');
    await clock.advance(0);
    for (const name of ['a', 'b']) workbench.clientConnected(createSession(name));
    await clock.advance(5_000);
    expect(first.processes).toHaveLength(1);
  });
});

describe('a server that sleeps', () => {
  const idleMs = 60_000;
  const file = { toolboxes: { box: { description: 'Box', mcpServers: { later: { ...servers.later, idleMs } } } } };
  const openBox = buildCall({ params: { name: 'open_toolbox', arguments: { toolbox: 'box' } } });
  const useTool = buildCall({
    params: { name: 'use_tool', arguments: { tool: { toolbox: 'box', server: 'later', name: 'plain' } } },
  });

  it('a server that sleeps counts as connected when its toolbox is opened, is left asleep by that, and woken by a call', async () => {
    const { clock, workbench, second } = setUp(file);
    const session = createFront(workbench, clock).connect(createSession('host'), { constantLists: false });
    const open = async () => {
      const opened = session.callTool(openBox);
      await clock.advance(0);
      const outcome = await opened;
      return 'result' in outcome ? outcome.result.value.structuredContent : outcome;
    };
    const before = await open();
    await clock.advance(idleMs);
    expect(workbench.servers()[0]?.state).toBe('sleeping');
    expect(await open()).toEqual(before);
    expect(before).toMatchObject({ servers_connected: 1, tools: expect.objectContaining({ length: 4 }) });
    expect(second.processes).toHaveLength(1);
    const used = session.callTool(useTool);
    await clock.advance(0);
    second.last.answer({ content: [{ type: 'text', text: 'awake' }] });
    await clock.advance(0);
    expect(await used).toMatchObject({ result: { value: { content: [{ text: 'awake' }] } } });
    expect(second.processes).toHaveLength(2);
  });
});

describe('a call to a server that is down', () => {
  it('a call to a server that is down is answered with a result that names the server, the cause and the time of the next try', async () => {
    const { clock, workbench, second } = setUp({
      toolboxes: { box: { description: 'Box', mcpServers: { later: servers.later } } },
    });
    const session = createFront(workbench, clock).connect(createSession('host'), { constantLists: false });
    second.manner = 'die';
    const use = async () => {
      const used = session.callTool(
        buildCall({
          params: { name: 'use_tool', arguments: { tool: { toolbox: 'box', server: 'later', name: 'plain' } } },
        }),
      );
      await clock.advance(10);
      const outcome = await used;
      return 'result' in outcome ? JSON.stringify(outcome.result.value) : '';
    };
    for (let failure = 0; failure < 5; failure++) expect(await use()).toContain('[WB1004]');
    const text = await use();
    expect(text).toMatch(/Failed to connect to server 'later'.*tried again in 30 s.*exited with code 1.*\[WB1018\]/);
    expect(text).toContain('"isError":true');
  });
});
