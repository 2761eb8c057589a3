// @module-tag large
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram, startProgram } from '../../support/program.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { fixture, reference } from '../../support/servers.ts';
import { eras, errorOf, linesOf, resultOf, textOf } from '../support.ts';

const relatedKey = 'io.modelcontextprotocol/related-task';
const over = ['completed', 'failed', 'cancelled'];
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const withTasks: JsonObject = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const accept = (name: string): JsonObject => ({ action: 'accept', content: { name } });

/** The program in front of one of the task servers, and what that server was sent. */
function start(era: 'legacy' | 'modern') {
  const log = join(tempDir(), 'log');
  const config = { mcpServers: { work: { ...fixture(`task-${era}`, { LOG: log }), prefix: false } } };
  const client = startProgram({ config });
  const got = (method: string) =>
    linesOf(log)
      .map((line) => JSON.parse(line) as JsonObject)
      .filter((line) => line.method === method)
      .map(({ params }) => params as JsonObject);
  return { client, got };
}

/** One who asks for tasks as 2025-11-25 has them. */
async function connectLegacy(client: RawClient) {
  const { message } = await client.legacyHandshake('2025-11-25', { elicitation: {} });
  const ask = async (method: string, params: JsonObject = {}) => (await client.request(method, params)).message;
  return {
    initialized: resultOf(message),
    ask,
    create: async (name: string, args: JsonObject = {}, task: JsonObject = {}) =>
      resultOf(await ask('tools/call', { name, arguments: args, task })).task as JsonObject,
    get: async (taskId: unknown) => resultOf(await ask('tasks/get', { taskId: taskId as string })),
    /** Answers the next question that comes, and gives it. */
    async answer(result: JsonObject, isAsked: (message: JsonObject) => boolean = () => true) {
      const { message: question } = await client.waitFor(
        (each) => each.method === 'elicitation/create' && isAsked(each),
      );
      client.send(JSON.stringify({ jsonrpc: '2.0', id: question.id, result }));
      return question;
    },
  };
}

/** One who takes tasks of the stateless era, or does not. */
function connectModern(client: RawClient, capabilities: JsonObject = withTasks) {
  const ask = async (method: string, params: JsonObject = {}, declared = capabilities) =>
    (await client.modern(method, { ...params, _meta: { [capabilitiesKey]: declared } })).message;
  const get = async (taskId: unknown) => resultOf(await ask('tasks/get', { taskId: taskId as string }));
  return {
    ask,
    get,
    call: (name: string, args: JsonObject = {}, more: JsonObject = {}) =>
      ask('tools/call', { name, arguments: args, ...more }),
    async until(taskId: unknown, statuses: readonly string[] = over) {
      let task: JsonObject = {};
      await eventually(async () => {
        task = await get(taskId);
        return statuses.includes(String(task.status));
      });
      return task;
    },
  };
}

const plain = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': expect.anything() } };

describe('a client of 2025-11-25 in front of a server with tasks', () => {
  it('a client of 2025-11-25 in front of a server with tasks is told of tasks, and of the tools that take them', async () => {
    const { ask, initialized } = await connectLegacy(start('legacy').client);
    expect(initialized.capabilities).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    const tools = resultOf(await ask('tools/list')).tools as JsonObject[];
    const supported = tools.map(({ name, execution }) => [
      name,
      isObject(execution) ? execution.taskSupport : undefined,
    ]);
    expect(Object.fromEntries(supported)).toMatchObject({
      greet: undefined,
      slow_compute: 'optional',
      // The server wants it so; whoever calls without a task is served all the same.
      failing_job: 'optional',
    });
  });

  it('a client of 2025-11-25 in front of a server with tasks has its call run as a task of ours, and fetches what the server answered', async () => {
    const { client, got } = start('legacy');
    const { ask, create, get } = await connectLegacy(client);
    const task = await create('slow_compute', { seconds: 0.3, label: 'a' }, { ttl: 60_000 });
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: expect.any(Number) });
    expect(task.taskId).not.toContain('theirs');
    expect(await get(task.taskId)).toMatchObject({ taskId: task.taskId, status: 'working' });
    const result = resultOf(await ask('tasks/result', { taskId: task.taskId as string }));
    expect(result).toEqual({
      content: [{ type: 'text', text: 'computed a' }],
      structuredContent: { big: 1 },
      _meta: { vendor: 1, [relatedKey]: { taskId: task.taskId } },
    });
    expect(await get(task.taskId)).toMatchObject({ status: 'completed', statusMessage: 'computing' });
    expect(resultOf(await ask('tasks/list')).tasks).toMatchObject([{ taskId: task.taskId, status: 'completed' }]);
    expect(got('tools/call')).toMatchObject([{ task: { ttl: 60_000 } }]);
    const { message } = await client.waitFor((each) => each.method === 'notifications/tasks/status');
    expect(message.params).toMatchObject({ taskId: task.taskId });
  });

  it('a client of 2025-11-25 in front of a server with tasks hears progress of the task under the token of the call, for as long as it lasts', async () => {
    const { client } = start('legacy');
    const { ask } = await connectLegacy(client);
    const params = { name: 'slow_compute', arguments: {}, task: {}, _meta: { progressToken: 'tok' } };
    const { taskId } = resultOf(await ask('tools/call', params)).task as JsonObject;
    await ask('tasks/result', { taskId: taskId as string });
    const heard = client.messages.flatMap(({ message }) =>
      message.method === 'notifications/progress' ? [message.params as JsonObject] : [],
    );
    expect(heard.map(({ message }) => message)).toEqual(expect.arrayContaining(['begun']));
    for (const each of heard)
      expect(each).toMatchObject({ progressToken: 'tok', _meta: { [relatedKey]: { taskId: taskId as string } } });
  });

  it('a client of 2025-11-25 in front of a server with tasks is asked what the task wants to know while it waits for the result', async () => {
    const { client } = start('legacy');
    const { ask, create, get, answer } = await connectLegacy(client);
    const { taskId } = await create('confirm_delete', { filename: 'f' });
    await eventually(async () => (await get(taskId)).status === 'input_required');
    expect(client.messages.some(({ message }) => message.method === 'elicitation/create')).toBe(false);
    const result = ask('tasks/result', { taskId: taskId as string });
    const question = await answer(accept('Ann'));
    expect(question.params).toMatchObject({
      message: 'Delete f?',
      _meta: { [relatedKey]: { taskId: taskId as string } },
    });
    expect(textOf(await result)).toBe('accept f');
  });

  it.each([
    ['a tool that reports an error', 'failing_job', 'failed', { result: { isError: true } }],
    [
      'an error',
      'protocol_error_job',
      'failed',
      { error: { code: -32603, message: 'broken', data: { why: 'on purpose' } } },
    ],
  ])(
    'a client of 2025-11-25 in front of a server with tasks finds the task failed after %s',
    async (_case, tool, status, answered) => {
      const { ask, create, get } = await connectLegacy(start('legacy').client);
      const { taskId } = await create(tool);
      expect(await ask('tasks/result', { taskId: taskId as string })).toMatchObject(answered);
      expect((await get(taskId)).status).toBe(status);
    },
  );

  it('a client of 2025-11-25 in front of a server with tasks cancels a task, once, and so does the server', async () => {
    const { client, got } = start('legacy');
    const { ask, create, get } = await connectLegacy(client);
    const { taskId } = await create('slow_compute', { seconds: 60 });
    await eventually(() => got('tasks/result').length === 1);
    const params = { taskId: taskId as string };
    expect(resultOf(await ask('tasks/cancel', params))).toMatchObject({ taskId, status: 'cancelled' });
    expect(errorOf(await ask('tasks/cancel', params)).code).toBe(-32602);
    expect(errorOf(await ask('tasks/result', params)).message).toContain('cancelled');
    expect((await get(taskId)).status).toBe('cancelled');
    await eventually(() => got('tasks/cancel').length === 1);
  });

  it('a client of 2025-11-25 in front of a server with tasks is refused a task where the tool forbids it, and told of unknown ones', async () => {
    const { ask } = await connectLegacy(start('legacy').client);
    const call = { name: 'greet', arguments: { name: 'Ann' } };
    expect(errorOf(await ask('tools/call', { ...call, task: {} })).code).toBe(-32601);
    expect(textOf(await ask('tools/call', call))).toBe('Hello, Ann!');
    expect(resultOf(await ask('tasks/list'))).toEqual({ tasks: [] });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      for (const params of [{ taskId: 'theirs-1' }, {}])
        expect(errorOf(await ask(method, params))).toMatchObject({ code: -32602, data: { code: 'WB1808' } });
  });

  it('a client of 2025-11-25 in front of a server with tasks may call a tool that wants a task as if it were any other', async () => {
    const { client, got } = start('legacy');
    const { ask, answer } = await connectLegacy(client);
    const done = ask('tools/call', { name: 'confirm_delete', arguments: { filename: 'g' } });
    await answer(accept('Ann'));
    expect(textOf(await done)).toBe('accept g');
    expect(got('tools/call')).toMatchObject([{ task: {} }]);
  });

  it('a client of 2025-11-25 in front of a server with tasks uses a tool of a toolbox as a task where that tool takes it', async () => {
    const toolboxes = { box: { description: 'b', mcpServers: { work: fixture('task-legacy') } } };
    const { ask, create } = await connectLegacy(startProgram({ config: { toolboxes } }));
    const use = (name: string) => ({ tool: { toolbox: 'box', server: 'work', name }, arguments: { name: 'Ann' } });
    const { taskId } = await create('use_tool', use('slow_compute'));
    expect(textOf(await ask('tasks/result', { taskId: taskId as string }))).toBe('computed ');
    for (const [name, args] of [
      ['use_tool', use('greet')],
      ['open_toolbox', { toolbox: 'box' }],
    ] as const)
      expect(errorOf(await ask('tools/call', { name, arguments: args, task: {} })).code).toBe(-32601);
    const { taskId: unknown } = await create('use_tool', { tool: { toolbox: 'none', server: 's', name: 'n' } });
    expect(resultOf(await ask('tasks/result', { taskId: unknown as string })).isError).toBe(true);
  });

  it('a client of 2025-11-25 in front of a server with tasks does not know that a server of the other era makes tasks of its calls', async () => {
    const { client, got } = start('modern');
    const { ask, answer } = await connectLegacy(client);
    expect(textOf(await ask('tools/call', { name: 'slow_compute', arguments: { seconds: 0.2 } }))).toBe('computed ');
    const done = ask('tools/call', { name: 'multi_input', arguments: {} });
    for (const which of ['First?', 'Second?'])
      await answer(accept(which), ({ params }) => isObject(params) && params.message === which);
    expect(textOf(await done)).toBe('accept First?, accept Second?');
    expect(got('tasks/update')).toHaveLength(1);
    expect(await ask('tools/call', { name: 'protocol_error_job', arguments: {} })).toMatchObject({
      error: { code: -32603, message: 'broken', data: { why: 'on purpose' } },
    });
  });
});

describe.each(eras)('a client of 2026-07-28 that takes tasks, in front of a server of the %s era', (era) => {
  it('gets a task of ours for what the server makes a task of, and all that is known of it', async () => {
    const { client, got } = start(era);
    const { ask, call, until } = connectModern(client);
    const discovered = resultOf(await ask('server/discover'));
    expect(discovered.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect(discovered.capabilities).not.toHaveProperty('tasks');
    const listed = resultOf(await ask('tools/list')).tools as JsonObject[];
    expect(listed.filter((tool) => Object.hasOwn(tool, 'execution'))).toEqual([]);
    const created = resultOf(await call('failing_job'));
    expect(created).toEqual({
      ...plain,
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]{22}$/),
      status: 'working',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: 3_600_000,
      pollIntervalMs: 100,
    });
    const task = await until(created.taskId);
    // In this era the task has done what it should; in the other one it has failed.
    expect(task).toMatchObject({ ...plain, taskId: created.taskId, status: 'completed' });
    expect(task.result).toMatchObject({ content: [{ type: 'text', text: 'it failed' }], isError: true });
    expect(JSON.stringify(task)).not.toContain(relatedKey);
    expect(got('tools/call')).toHaveLength(1);
  });

  it('answers what a task asks, one by one', async () => {
    const { call, until, ask, get } = connectModern(start(era).client);
    const { taskId } = resultOf(await call('multi_input'));
    let requests: JsonObject = {};
    await eventually(async () => {
      requests = ((await get(taskId)).inputRequests ?? {}) as JsonObject;
      return Object.keys(requests).length === 2;
    });
    const [first, second] = Object.keys(requests) as [string, string];
    expect(requests[first]).toMatchObject({ method: 'elicitation/create', params: { message: 'First?' } });
    const update = (key: string, name: string) =>
      ask('tasks/update', { taskId: taskId as string, inputResponses: { [key]: accept(name), other: {} } });
    expect(resultOf(await update(first, 'one'))).toEqual(plain);
    const left = await get(taskId);
    expect([left.status, Object.keys(left.inputRequests as JsonObject)]).toEqual(['input_required', [second]]);
    await update(second, 'two');
    expect(await until(taskId)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'accept one, accept two' }] },
    });
  });

  it('finds an error in the task, and a cancelled one cancelled', async () => {
    const { client, got } = start(era);
    const { call, until, ask } = connectModern(client);
    const failed = await until(resultOf(await call('protocol_error_job')).taskId);
    expect(failed).toMatchObject({ status: 'failed', error: { code: -32603, message: 'broken' } });
    expect(failed).not.toHaveProperty('result');
    const { taskId } = resultOf(await call('confirm_delete', { filename: 'f' }));
    const params = { taskId: taskId as string };
    for (let times = 0; times < 2; times++) expect(resultOf(await ask('tasks/cancel', params))).toEqual(plain);
    expect(await until(taskId)).toMatchObject({ status: 'cancelled' });
    await eventually(() => got('tasks/cancel').length === 1);
  });

  it('is told on a listen stream how a task is doing', async () => {
    const { client } = start(era);
    const { call, ask } = connectModern(client);
    const { taskId } = resultOf(await call('confirm_delete', { filename: 'f' }));
    const notifications = { taskIds: [taskId as string, 'unknown'] };
    const undeclared = await ask('subscriptions/listen', { notifications }, {});
    expect(errorOf(undeclared)).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions: {} } } });
    const params = {
      notifications,
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', [capabilitiesKey]: withTasks },
    };
    client.send(JSON.stringify({ jsonrpc: '2.0', id: 'L', method: 'subscriptions/listen', params }));
    const { message } = await client.waitFor(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(message.params).toMatchObject({ notifications: { taskIds: [taskId as string] } });
    const { message: asked } = await client.waitFor(
      ({ method, params: news }) =>
        method === 'notifications/tasks' && isObject(news) && news.status === 'input_required',
    );
    const { inputRequests } = asked.params as { inputRequests: JsonObject };
    const [key] = Object.keys(inputRequests) as [string];
    await ask('tasks/update', { taskId: taskId as string, inputResponses: { [key]: accept('x') } });
    const { message: ended } = await client.waitFor(
      ({ method, params: news }) => method === 'notifications/tasks' && isObject(news) && news.status === 'completed',
    );
    expect(ended.params).toMatchObject({
      taskId,
      result: { content: [{ text: 'accept f' }] },
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'L' },
    });
  });

  it('must say on every request that it takes tasks', async () => {
    const { ask } = connectModern(start(era).client);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId: 'x', inputResponses: {} };
      expect(errorOf(await ask(method, params, {}))).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      });
      expect(errorOf(await ask(method, params))).toMatchObject({ code: -32602, data: { code: 'WB1808' } });
    }
    for (const method of ['tasks/list', 'tasks/result'])
      expect(errorOf(await ask(method, { taskId: 'x' })).code).toBe(-32601);
  });

  it('gets a plain answer where no task is needed, whatever it hints, and where it takes none', async () => {
    const { call } = connectModern(start(era).client);
    expect(resultOf(await call('greet', { name: 'Ann' }, { task: { ttl: 1 } }))).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'Hello, Ann!' }],
    });
    const without = connectModern(start(era).client, {});
    expect(resultOf(await without.call('slow_compute', { seconds: 0.2 }))).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'computed ' }],
    });
  });
});

it('a question that comes before the task is a round of the call, and the task follows it', async () => {
  const { call, until } = connectModern(start('modern').client);
  const first = resultOf(await call('test_tool_with_task'));
  expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { user_name: {} } });
  expect(first).not.toHaveProperty('taskId');
  const inputResponses = { user_name: accept('Ann') };
  const second = resultOf(
    await call('test_tool_with_task', {}, { inputResponses, requestState: first.requestState as string }),
  );
  expect(second.resultType).toBe('task');
  expect(second).not.toHaveProperty('requestState');
  expect(await until(second.taskId)).toMatchObject({
    status: 'completed',
    result: { content: [{ text: 'Hello, Ann!' }] },
  });
});

describe('the task tool of the reference server', { tags: 'long' }, () => {
  const name = 'simulate-research-query';
  const config = { mcpServers: { everything: { ...reference('everything'), prefix: false } } };
  const args = { topic: 'python', ambiguous: true };

  async function connectSdk(onAsked: () => JsonObject) {
    const { command, args: given, env, dir } = prepareProgram({ config });
    const whole = Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== undefined);
    const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } });
    atEnd(() => client.close());
    client.setRequestHandler(ElicitRequestSchema, async () => onAsked() as never);
    await client.connect(
      new StdioClientTransport({
        command,
        args: given,
        env: Object.fromEntries(whole) as Record<string, string>,
        cwd: dir,
        stderr: 'ignore',
      }),
    );
    return client;
  }
  const choice = { action: 'accept', content: { interpretation: 'snake' } };

  it('the task tool of the reference server runs for the official client that takes tasks, with its question', async () => {
    const client = await connectSdk(() => choice);
    await client.listTools();
    const seen: string[] = [];
    let text = '';
    const stream = client.experimental.tasks.callToolStream({ name, arguments: args }, CallToolResultSchema);
    for await (const message of stream) {
      seen.push(message.type === 'taskStatus' ? message.task.status : message.type);
      if (message.type === 'result') text = JSON.stringify(message.result.content);
      if (message.type === 'error') throw message.error;
    }
    expect(seen).toEqual(expect.arrayContaining(['taskCreated', 'working', 'input_required', 'result']));
    expect(text).toContain('python (snake)');
  });

  it('the task tool of the reference server runs for the official client that calls it like any other', async () => {
    const client = await connectSdk(() => choice);
    await client.listTools();
    const progress: unknown[] = [];
    const result = await client.callTool({ name, arguments: args }, undefined, {
      onprogress: ({ message }) => progress.push(message),
    });
    expect(JSON.stringify(result.content)).toContain('python (snake)');
    expect(progress).toContain('Analyzing content...');
  });

  it('the task tool of the reference server runs for a client of 2026-07-28 that takes tasks', async () => {
    const { call, until, ask } = connectModern(startProgram({ config }));
    const { taskId, resultType } = resultOf(await call(name, args));
    expect(resultType).toBe('task');
    const { inputRequests } = await until(taskId, ['input_required', ...over]);
    const [key] = Object.keys(inputRequests as JsonObject) as [string];
    await ask('tasks/update', { taskId: taskId as string, inputResponses: { [key]: choice } });
    const task = await until(taskId);
    expect([task.status, JSON.stringify(task.result)]).toEqual([
      'completed',
      expect.stringContaining('python (snake)'),
    ]);
  });

  it('the task tool of the reference server runs for a client of 2026-07-28 that takes none', async () => {
    const client = startProgram({ config });
    const { call } = connectModern(client, {});
    const { content, resultType } = resultOf(await call(name, { topic: 'x' }));
    expect([resultType, JSON.stringify(content)]).toEqual(['complete', expect.stringContaining('Research Report: x')]);
  });
});
