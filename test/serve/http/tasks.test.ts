import { describe, expect, it } from 'vitest';
import type { Call, CallOutcome } from '../../../src/base/call/call.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { HttpService } from '../../../src/serve/http/serve-http.ts';
import { eventually } from '../../support/eventually.ts';
import {
  byName,
  createFakeFront,
  echo,
  initialize,
  messagesOf,
  modern,
  open,
  rpc,
  send,
  startService,
} from './support.ts';

const meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
const as = (name: string) => ({ authorization: `Bearer ${name}` });

/** A front whose calls become tasks at once and end when the test says so. */
function createTaskFront() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const call = async (each: Call): Promise<CallOutcome> => {
    await Promise.resolve();
    each.task?.onTask?.({});
    await ended;
    return echo(each);
  };
  return Object.assign(createFakeFront({ call }), { end: () => end() });
}

const create = async (service: HttpService, name: string) => {
  const { json } = await send(service, modern('tools/call', { name: 'echo' }, { meta, headers: as(name) }));
  return (json.result as { taskId: string }).taskId;
};
const get = (service: HttpService, taskId: string, headers: Record<string, string | undefined>) =>
  send(service, modern('tasks/get', { taskId }, { meta, headers: { 'mcp-name': taskId, ...headers } }));

describe('tasks over HTTP', () => {
  it('are asked for with their id in Mcp-Name, by the one who began them, at any connection', async () => {
    const front = createTaskFront();
    const service = await startService(front, { authenticator: byName });
    const taskId = await create(service, 'ann');
    expect((await get(service, taskId, as('ann'))).json).toMatchObject({ result: { taskId, status: 'working' } });
    for (const name of ['other', undefined]) {
      const { status, json } = await get(service, taskId, { ...as('ann'), 'mcp-name': name });
      expect([status, json]).toMatchObject([400, { error: { code: -32020 } }]);
    }
    expect((await get(service, taskId, as('bob'))).json).toMatchObject({ error: { code: -32602 } });
    const undeclared = await send(
      service,
      modern('tasks/get', { taskId }, { headers: { ...as('ann'), 'mcp-name': taskId } }),
    );
    expect([undeclared.status, undeclared.json]).toMatchObject([400, { error: { code: -32021 } }]);
    expect((await send(service, modern('tasks/list', {}, { meta, headers: as('ann') }))).status).toBe(404);
    front.end();
    await eventually(
      async () => ((await get(service, taskId, as('ann'))).json.result as JsonObject).status === 'completed',
    );
  });

  it('are told of on a listen stream to the one who began them only', async () => {
    const front = createTaskFront();
    const service = await startService(front, { authenticator: byName });
    const taskId = await create(service, 'ann');
    const listen = (name: string) =>
      open(
        service,
        modern('subscriptions/listen', { notifications: { taskIds: [taskId] } }, { meta, headers: as(name) }),
      );
    const [ann, bob] = [await listen('ann'), await listen('bob')];
    await eventually(() => messagesOf(bob.text).length === 1);
    front.end();
    await eventually(() => messagesOf(ann.text).length === 3);
    expect(messagesOf(ann.text)).toMatchObject([
      { params: { notifications: { taskIds: [taskId] } } },
      { method: 'notifications/tasks', params: { status: 'working' } },
      { method: 'notifications/tasks', params: { status: 'completed', result: { content: [{}] } } },
    ]);
    expect(messagesOf(bob.text)).toMatchObject([{ params: { notifications: {} } }]);
  });

  it('of a session are there for another session of the same principal, and for nobody else', async () => {
    const front = createTaskFront();
    const service = await startService(front, { authenticator: byName });
    const post = async (headers: Awaited<ReturnType<typeof initialize>>, method: string, params: JsonObject) =>
      (await send(service, { headers, body: rpc(method, params) })).json;
    const first = await initialize(service, { headers: as('ann') });
    const created = await post(first, 'tools/call', { name: 'echo', arguments: { a: 1 }, task: {} });
    const { taskId } = (created.result as { task: { taskId: string } }).task;
    await send(service, { method: 'DELETE', headers: first });
    const [second, bob] = [
      await initialize(service, { headers: as('ann') }),
      await initialize(service, { headers: as('bob') }),
    ];
    expect(await post(bob, 'tasks/get', { taskId })).toMatchObject({ error: { code: -32602 } });
    expect(await post(bob, 'tasks/list', {})).toMatchObject({ result: { tasks: [] } });
    front.end();
    expect(await post(second, 'tasks/result', { taskId })).toMatchObject({
      result: { content: [{ text: '{"a":1}' }] },
    });
  });

  it('end with the service', async () => {
    const front = createTaskFront();
    const service = await startService(front, { authenticator: byName });
    await create(service, 'ann');
    await service.close();
    expect(front.calls[0]?.signal.aborted).toBe(true);
  });
});
