import { describe, expect, it } from 'vitest';
import type { Call, CallOutcome } from '../../../src/base/call/call.ts';
import type { Answer, Question } from '../../../src/base/call/question.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { eventually } from '../../support/eventually.ts';
import {
  byName,
  createFakeFront,
  createGate,
  eventsOf,
  type FakeFront,
  firstCall,
  initialize,
  jsonHeaders,
  messagesOf,
  modern,
  modernMeta,
  open,
  rpc,
  send,
  startService,
} from './support.ts';

const question: Question = { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: {} } };
const capabilities: JsonObject = { elicitation: {} };
const accepted = { action: 'accept', content: { name: 'Ann' } };

/** A tool that asks for a name and tells what it heard. */
function createAskingFront(): FakeFront & { readonly heard: Answer[] } {
  const heard: Answer[] = [];
  const call = async (each: Call): Promise<CallOutcome> => {
    const answer = await each.ask(question);
    heard.push(answer);
    return { result: RawJson.of({ content: [], structuredContent: answer as unknown as JsonObject }) };
  };
  return Object.assign(createFakeFront({ call }), { heard });
}

const callTool = rpc('tools/call', { name: 'echo' });
/** What there will be. */
const until = <T>(find: () => T | undefined): Promise<T> =>
  eventually(() => {
    const found = find();
    if (found === undefined) throw new Error('not there');
    return found;
  });
const askedOn = (text: string) => messagesOf(text).find(({ method }) => method === question.method);
const rootsChanged = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
const respond = (id: unknown) => ({ jsonrpc: '2.0', id, result: accepted });

describe('a question over HTTP in the handshake era', () => {
  it('comes on the stream of its call, and is answered by a POST of its own', async () => {
    const front = createAskingFront();
    const service = await startService(front);
    const headers = await initialize(service, { capabilities });
    const stream = await open(service, { headers, body: callTool });
    const asked = await until(() => askedOn(stream.text));
    expect(asked).toMatchObject({ ...question, id: expect.any(String) });
    const posted = await send(service, { headers, body: respond(asked.id) });
    expect([posted.status, posted.text]).toEqual([202, '']);
    expect(messagesOf(await stream.whole).at(-1)).toMatchObject({
      id: 1,
      result: { structuredContent: { result: accepted } },
    });
    expect((await send(service, { headers, body: respond(asked.id) })).status).toBe(202);
    expect(front.heard).toHaveLength(1);
    expect((await firstCall(front)).client.principal).toContain('/mcp');
  });

  it('waits for a client whose stream broke', async () => {
    const service = await startService(createAskingFront());
    const headers = await initialize(service, { capabilities });
    const first = await open(service, { headers, body: callTool });
    const asked = await until(() => askedOn(first.text));
    const [prime] = eventsOf(first.text);
    first.leave();
    const resume = { ...headers, accept: 'text/event-stream', 'last-event-id': prime?.id };
    const second = await open(service, { method: 'GET', headers: resume });
    expect(await until(() => askedOn(second.text))).toEqual(asked);
    await send(service, { headers, body: respond(asked.id) });
    expect(messagesOf(await second.whole).at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('can be answered only by the session that was asked', async () => {
    const front = createAskingFront();
    const service = await startService(front);
    const [headers, others] = [
      await initialize(service, { capabilities }),
      await initialize(service, { capabilities }),
    ];
    const stream = await open(service, { headers, body: callTool });
    const asked = await until(() => askedOn(stream.text));
    expect((await send(service, { headers: others, body: respond(asked.id) })).status).toBe(202);
    expect(front.heard).toEqual([]);
    await send(service, { headers, body: respond(asked.id) });
    await stream.whole;
    expect(front.heard).toHaveLength(1);
  });

  it('gets an error when the session ends', async () => {
    const front = createAskingFront();
    const service = await startService(front);
    const headers = await initialize(service, { capabilities });
    const stream = await open(service, { headers, body: callTool });
    await eventually(() => askedOn(stream.text) !== undefined);
    await send(service, { method: 'DELETE', headers });
    await eventually(() => front.heard.length > 0);
    expect(front.heard).toMatchObject([{ error: {} }]);
  });

  it('holds nothing up when the service ends', async () => {
    const front = createAskingFront();
    const service = await startService(front, { limits: { drainMs: 600_000 } });
    const headers = await initialize(service, { capabilities });
    const stream = await open(service, { headers, body: callTool });
    await eventually(() => askedOn(stream.text) !== undefined);
    await service.close();
    expect(messagesOf(await stream.whole).at(-1)).toMatchObject({
      id: 1,
      result: { structuredContent: { error: {} } },
    });
  });

  it('has somebody to ask whose roots may change', async () => {
    const front = createFakeFront();
    const service = await startService(front);
    const headers = await initialize(service, { capabilities: { roots: { listChanged: true } } });
    await send(service, { headers, body: callTool });
    let heard = 0;
    (await firstCall(front)).client.session?.onRootsChanged(() => heard++);
    await send(service, { headers, body: rootsChanged });
    expect(heard).toBe(1);
  });
});

describe('a question over the transport of 2024-11-05', () => {
  async function connect(front: FakeFront, limits = {}) {
    const service = await startService(front, { sse: true, limits });
    const stream = await open(service, { method: 'GET', path: '/sse', headers: jsonHeaders });
    const path = await until(() => eventsOf(stream.text)[0]?.data);
    const post = (body: JsonObject) => send(service, { path, headers: jsonHeaders, body });
    const messages = () =>
      eventsOf(stream.text)
        .slice(1)
        .map(({ data }) => JSON.parse(data) as JsonObject);
    const found = (matches: (message: JsonObject) => boolean) => until(() => messages().find(matches));
    const everything = { roots: { listChanged: true }, elicitation: {} };
    await post(rpc('initialize', { protocolVersion: '2024-11-05', capabilities: everything }, 0));
    return { service, post, found };
  }
  const createRootsFront = (heard: Answer[]) =>
    createFakeFront({
      async call(each) {
        heard.push(await each.ask({ method: 'roots/list', params: {} }), await each.ask(question));
        return { result: RawJson.of({ content: [] }) };
      },
    });

  it('travels on the one stream, as far as that version knows it', async () => {
    const heard: Answer[] = [];
    const { post, found } = await connect(createRootsFront(heard));
    await post(callTool);
    const asked = await found(({ method }) => method === 'roots/list');
    await post({ jsonrpc: '2.0', id: asked.id as string, result: { roots: [] } });
    await found(({ id }) => id === 1);
    // Forms came later than this version.
    expect(heard).toMatchObject([{ result: { roots: [] } }, { error: {} }]);
  });

  it('has somebody to ask whose roots may change', async () => {
    const front = createFakeFront();
    const { post } = await connect(front);
    await post(callTool);
    let heard = 0;
    (await firstCall(front)).client.session?.onRootsChanged(() => heard++);
    await post(rootsChanged);
    await eventually(() => heard === 1);
  });

  it('holds nothing up when the service ends', async () => {
    const heard: Answer[] = [];
    const { service, post, found } = await connect(createRootsFront(heard), { drainMs: 600_000 });
    await post(callTool);
    await found(({ method }) => method === 'roots/list');
    await service.close();
    expect(heard).toMatchObject([{ error: {} }, { error: {} }]);
  });
});

describe('a question over HTTP in the stateless era', () => {
  const meta = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': capabilities });
  const call = (params: JsonObject = {}, more: Parameters<typeof modern>[2] = {}) =>
    modern('tools/call', { name: 'echo', _meta: meta, ...params }, more);
  const as = (name: string) => ({ headers: { authorization: `Bearer ${name}` } });

  it('is a plain answer; its end cancels nothing, and the next request brings the result', async () => {
    const front = createAskingFront();
    const service = await startService(front);
    const first = await send(service, call());
    expect([first.status, first.headers['content-type']]).toEqual([200, 'application/json']);
    const { inputRequests, requestState } = first.json.result as JsonObject;
    expect(inputRequests).toEqual({ q1: question });
    expect((await firstCall(front)).signal.aborted).toBe(false);
    const inputResponses = { q1: accepted };
    const second = await send(service, call({ inputResponses, requestState: requestState as string }, { id: 2 }));
    expect(second.json).toMatchObject({
      id: 2,
      result: { resultType: 'complete', structuredContent: { result: accepted } },
    });
    expect(front.calls).toHaveLength(1);
  });

  it.each([
    ['somebody else', 'bob', '/mcp'],
    ['another endpoint', 'ann', '/mcp/toolbox'],
  ])('cannot be answered from %s', async (_, name, path) => {
    const front = createAskingFront();
    const service = await startService(front, { authenticator: byName });
    const first = await send(service, call({}, as('ann')));
    const { requestState } = first.json.result as JsonObject;
    const params = { inputResponses: { q1: accepted }, requestState: requestState as string };
    const stolen = await send(service, { ...call(params, as(name)), path });
    expect(stolen.json).toMatchObject({ error: { code: -32602, data: { code: 'WB1806', reason: 'invalid' } } });
    expect(front.heard).toEqual([]);
    expect((await send(service, call(params, as('ann')))).json).toMatchObject({ result: { resultType: 'complete' } });
  });

  it('that was not declared is refused with status 400 and what is needed', async () => {
    const service = await startService(createAskingFront());
    const answer = await send(service, modern('tools/call', { name: 'echo' }));
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
    });
  });

  it('takes no responses', async () => {
    const service = await startService(createAskingFront());
    const answer = await send(service, { headers: call().headers, body: respond('q1') });
    expect(answer.status).toBe(400);
  });

  it('is given up with its call when the service ends, and holds nothing up', async () => {
    const front = createAskingFront();
    const service = await startService(front, { limits: { drainMs: 600_000 } });
    await send(service, call());
    await service.close();
    expect(front.calls[0]?.signal.aborted).toBe(true);
    expect(front.heard).toMatchObject([{ error: {} }]);
  });

  it('is given up before what is open has finished', async () => {
    const gate = createGate();
    const ask = (each: Call) => each.ask(question).then(() => gate.call(each));
    const front = createFakeFront({
      call: (each) => (each.params.arguments === undefined ? ask(each) : gate.call(each)),
    });
    const service = await startService(front, { limits: { drainMs: 600_000 } });
    await send(service, call());
    const open = send(service, call({ arguments: {} }));
    await eventually(() => front.calls.length === 2);
    const closed = service.close();
    await eventually(() => front.calls[0]?.signal.aborted === true);
    expect(front.calls[1]?.signal.aborted).toBe(false);
    gate.open();
    expect((await open).json).toMatchObject({ result: { resultType: 'complete' } });
    await closed;
  });
});
