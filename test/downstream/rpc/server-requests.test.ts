import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/base/call/question.ts';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { RpcPeer } from '../../../src/downstream/rpc/rpc-peer.ts';
import { maxOpenRequests, type RequestContext } from '../../../src/downstream/rpc/server-requests.ts';

interface Open extends RequestContext {
  readonly method: string;
  readonly params: Json | undefined;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

function start() {
  const sent: JsonObject[] = [];
  const open: Open[] = [];
  const peer = new RpcPeer(
    { send: ({ line }) => sent.push(JSON.parse(String(line)) as JsonObject), onNoise() {} },
    {
      notified() {},
      asked: (method, params, context) =>
        new Promise((resolve, reject) => open.push({ ...context, method, params, resolve, reject })),
      refuses: () => false,
    },
  );
  const ask = (id: Json, stream?: number) =>
    peer.receive(JSON.stringify({ jsonrpc: '2.0', id, method: 'roots/list' }), stream);
  const cancel = (requestId: Json) =>
    peer.receive(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { peer, sent, open, ask, cancel, settle };
}

const fine: Answer = { result: { fine: true } };

describe('requests of a server', () => {
  it('are answered when the answer is there, each under its own id and JSON type, once', async () => {
    const { sent, open, ask, settle } = start();
    for (const id of [1, '1', 'b']) ask(id);
    expect(sent).toEqual([]);
    open[1]?.resolve(fine);
    open[0]?.resolve({ error: { code: -1, message: 'no', data: [1] } });
    open[0]?.resolve(fine);
    await settle();
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: '1', result: { fine: true } },
      { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no', data: [1] } },
    ]);
  });

  it('tell on whose stream they came and what they hold', () => {
    const { peer, open, ask } = start();
    ask(1, 42);
    peer.receive('{"jsonrpc":"2.0","id":2,"method":"x","params":[1]}');
    expect(open).toMatchObject([
      { stream: 42, method: 'roots/list', params: undefined },
      { stream: undefined, method: 'x', params: [1] },
    ]);
  });

  it('that the server takes back end the question and get no answer, and their id may be used again', async () => {
    const { sent, open, ask, cancel, settle } = start();
    ask('a');
    cancel('a');
    expect(open[0]?.signal.aborted).toBe(true);
    ask('a');
    open[0]?.resolve(fine);
    await settle();
    expect(sent).toEqual([]);
    open[1]?.resolve(fine);
    await settle();
    expect(sent).toHaveLength(1);
  });

  it.each<[string, Json]>([
    ['an id of the other JSON type', '7'],
    ['an id nobody knows', 8],
    ['no id', null],
    ['an object', {}],
  ])('are not taken back by %s', async (_case, requestId) => {
    const { open, ask, cancel } = start();
    ask(7);
    cancel(requestId);
    expect(open[0]?.signal.aborted).toBe(false);
  });

  it('are refused under an id that is still open, which goes on', async () => {
    const { sent, open, ask, settle } = start();
    ask(5);
    ask(5);
    expect(sent).toMatchObject([{ id: 5, error: { code: -32600 } }]);
    expect(open).toHaveLength(1);
    open[0]?.resolve(fine);
    await settle();
    expect(sent[1]).toEqual({ jsonrpc: '2.0', id: 5, result: { fine: true } });
  });

  it('are refused when too many are open, and taken again when there is room; a ping is always answered', async () => {
    const { peer, sent, open, ask, settle } = start();
    for (let id = 0; id < maxOpenRequests; id++) ask(id);
    expect(sent).toEqual([]);
    ask('more');
    expect(sent).toMatchObject([{ id: 'more', error: { code: -32000, message: expect.stringContaining('too many') } }]);
    peer.receive('{"jsonrpc":"2.0","id":"p","method":"ping"}');
    expect(sent[1]).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
    open[0]?.resolve(fine);
    await settle();
    ask('more');
    expect(open).toHaveLength(maxOpenRequests + 1);
  });

  it.each<[string, (peer: RpcPeer) => void]>([
    ['the conversation is over', (peer) => peer.fail(new Error('gone'))],
    ['the server has forgotten them', (peer) => peer.forgetAsked()],
  ])('end without an answer when %s', async (_case, end) => {
    const { peer, sent, open, ask, settle } = start();
    ask(1);
    ask(2);
    end(peer);
    expect(open.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    for (const { resolve } of open) resolve(fine);
    await settle();
    expect(sent).toEqual([]);
  });

  it('are answered with an error when answering fails, or the answer cannot be written', async () => {
    const { sent, open, ask, settle } = start();
    ask(1);
    ask(2);
    open[0]?.reject(new Error('secret'));
    const loop: JsonObject = {};
    loop.self = loop;
    open[1]?.resolve({ result: loop });
    await settle();
    expect(sent).toMatchObject([
      { id: 1, error: { code: -32603 } },
      { id: 2, error: { code: -32603 } },
    ]);
    expect(JSON.stringify(sent)).not.toContain('secret');
  });
});
