import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { splitAnswer } from '../../../src/downstream/rpc/answer.ts';
import { RpcPeer } from '../../../src/downstream/rpc/rpc-peer.ts';

const refuse = async () => ({ error: { code: -32601, message: 'no' } });

function createPeer() {
  const sent: JsonObject[] = [];
  const noise: string[] = [];
  const notified: string[] = [];
  const peer = new RpcPeer(
    { send: ({ line }) => sent.push(JSON.parse(String(line)) as JsonObject), onNoise: (line) => noise.push(line) },
    { notified: (method) => notified.push(method), asked: refuse, refuses: () => false },
  );
  return { peer, sent, noise, notified };
}

describe('splitting an answer without parsing its envelope', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"a":1.0}}', 7, '{"a":1.0}'],
    ['{"jsonrpc":"2.0","id":"7","result":{}}', 7, '{}'],
    ['{"result":{"a":[{}]},"jsonrpc":"2.0","id":12}', 12, '{"a":[{}]}'],
    ['{"result":{},"jsonrpc":"2.0","id":"12"}', 12, '{}'],
    ['{"jsonrpc":"2.0","id":123456789012345,"result":{}}', 123456789012345, '{}'],
  ])('%s', (line, id, text) => {
    expect(splitAnswer(line)).toMatchObject({ id });
    expect(splitAnswer(line)?.result.text).toBe(text);
  });

  it.each([
    ['a member behind the result', '{"jsonrpc":"2.0","id":7,"result":{},"x":1}'],
    ['a second id smuggled behind the result', '{"jsonrpc":"2.0","id":7,"result":{},"id":8}'],
    ['a second result in front', '{"result":{},"result":{},"jsonrpc":"2.0","id":7}'],
    ['broken JSON', '{"jsonrpc":"2.0","id":7,"result":{bad}}'],
    ['a result that is no object', '{"jsonrpc":"2.0","id":7,"result":[1]}'],
    ['an error', '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}'],
    ['another order', '{"id":7,"jsonrpc":"2.0","result":{}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"x","params":{}}'],
    ['no JSON', 'Server listening'],
    ['an id that is too long', '{"jsonrpc":"2.0","id":1234567890123456,"result":{}}'],
    ['an id that is none of ours', '{"jsonrpc":"2.0","id":"07","result":{}}'],
    ['the same behind the result', '{"result":{},"jsonrpc":"2.0","id":"07"}'],
    ['an empty id', '{"jsonrpc":"2.0","id":"","result":{}}'],
    ['an id with a letter', '{"jsonrpc":"2.0","id":"7a","result":{}}'],
    ['an id in half quotes', '{"jsonrpc":"2.0","id":"7,"result":{}}'],
    ['an id with another sign for its quote', '{"jsonrpc":"2.0","id":"7x,"result":{}}'],
    ['an id below zero', '{"jsonrpc":"2.0","id":-7,"result":{}}'],
    ['what ends behind the id', '{"jsonrpc":"2.0","id":7'],
    ['what ends before the id', '{"jsonrpc":"2.0","id":'],
  ])('leaves %s to the full parser', (_case, line) => {
    expect(splitAnswer(line)).toBeUndefined();
  });
});

describe('a conversation with a server', () => {
  it('answers each request once, by its own id, in whatever order and JSON type the answers come', async () => {
    const { peer } = createPeer();
    const [a, b, c] = ['x', 'y', 'z'].map((method) => peer.request(method, () => ({})));
    peer.receive('{"jsonrpc":"2.0","id":"2","result":{"n":2}}');
    peer.receive('{"id":3,"jsonrpc":"2.0","result":{"n":3}}');
    peer.receive('{"jsonrpc":"2.0","id":1,"result":{"n":1}}');
    peer.receive('{"jsonrpc":"2.0","id":1,"result":{"n":99}}');
    const results = await Promise.all([a, b, c].map((exchange) => exchange?.outcome));
    expect(results.map((outcome) => outcome && 'result' in outcome && outcome.result.value.n)).toEqual([1, 2, 3]);
  });

  it.each([
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"m","data":{"d":1},"extra":2}}',
      { code: -5, message: 'm', data: { d: 1 }, extra: 2 },
    ],
    ['{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}', { code: -32603, message: 'm' }],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}', { code: -32603 }],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { code: -32603 }],
    ['{"jsonrpc":"2.0","id":1,"result":[1]}', { code: -32603 }],
    ['{"jsonrpc":"2.0","id":1}', { code: -32603 }],
  ])('ends a request with an error for %s', async (line, error) => {
    const { peer } = createPeer();
    const { outcome } = peer.request('x', () => ({}));
    peer.receive(line);
    expect(await outcome).toMatchObject({ error });
  });

  it.each([
    '{ "jsonrpc": "2.0", "id": 1, "result": {"n": 9007199254740993, "one": 1.0} }',
    '{"id":1,"jsonrpc":"2.0","result":{"n": 9007199254740993, "one": 1.0},"extra":true}',
  ])('keeps the text of a result in an envelope of any shape: %s', async (line) => {
    const { peer } = createPeer();
    const { outcome } = peer.request('x', () => ({}));
    peer.receive(line);
    const answer = await outcome;
    expect('result' in answer && answer.result.text).toBe('{"n": 9007199254740993, "one": 1.0}');
  });

  it.each(['"id":"1"', '"id":1.0', '"id":1e0'])('takes %s for its own id 1', async (id) => {
    const { peer } = createPeer();
    const { outcome } = peer.request('x', () => ({}));
    peer.receive(`{"jsonrpc":"2.0",${id},"result":{}}`);
    expect(await outcome).toHaveProperty('result');
  });

  it.each(['"id":"01"', '"id":"1 "', '"id":"0x1"', '"id":"1e0"', '"id":"+1"', '"id":true', '"id":[1]'])(
    'does not take %s for its own id 1',
    (id) => {
      const { peer } = createPeer();
      peer.request('x', () => ({}));
      peer.receive(`{"jsonrpc":"2.0",${id},"result":{}}`);
      expect(peer.awaits(1)).toBe(true);
    },
  );

  it('takes a result beside an error that is null', async () => {
    const { peer } = createPeer();
    const { outcome } = peer.request('x', () => ({}));
    peer.receive('{"jsonrpc":"2.0","id":1,"error":null,"result":{"a":1}}');
    expect(await outcome).toMatchObject({ result: { value: { a: 1 } } });
  });

  it('hands progress to the request whose id is the token, before its answer, and drops foreign tokens', async () => {
    const { peer, sent } = createPeer();
    const seen: unknown[] = [];
    const id = peer.newId();
    peer.open(
      id,
      'x',
      { _meta: { progressToken: id } },
      {
        resolve: () => seen.push('answer'),
        reject: (error) => seen.push(error),
        onProgress: ({ progress }) => seen.push(progress),
      },
    );
    expect(sent[0]).toMatchObject({ params: { _meta: { progressToken: 1 } } });
    for (const [token, progress] of [
      [1, 1],
      [99, 2],
      ['1', 3],
    ]) {
      peer.receive(
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress },
        }),
      );
    }
    peer.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
    peer.receive('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":4}}');
    expect(seen).toEqual([1, 3, 'answer']);
  });

  it('answers requests of the server and passes notifications on', async () => {
    const { peer, sent, notified } = createPeer();
    peer.receive('{"jsonrpc":"2.0","id":"s1","method":"ping"}');
    peer.receive('{"jsonrpc":"2.0","id":5,"method":"roots/list","params":[]}');
    peer.receive('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    await Promise.resolve();
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 's1', result: {} },
      { jsonrpc: '2.0', id: 5, error: { code: -32601, message: 'no' } },
    ]);
    expect(notified).toEqual(['notifications/tools/list_changed']);
  });

  it.each(['Server listening on 3000', '42', 'null', '"text"', '{"jsonrpc":"2.0"}', '{"id":{}}'])(
    'reports %s as noise',
    (line) => {
      const { peer, noise } = createPeer();
      peer.receive(line);
      expect(noise).toEqual([line]);
    },
  );

  it('takes the messages of an array one by one', async () => {
    const { peer, notified } = createPeer();
    const { outcome } = peer.request('x', () => ({}));
    peer.receive('[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":1,"result":{}}]');
    expect(await outcome).toHaveProperty('result');
    expect(notified).toEqual(['n']);
  });

  it('fails everything open, and everything later, when it is over', async () => {
    const { peer, sent } = createPeer();
    const before = peer.request('x', () => ({}));
    peer.fail(new Error('gone'));
    await expect(before.outcome).rejects.toThrow('gone');
    await expect(peer.request('y', () => ({})).outcome).rejects.toThrow('gone');
    peer.notify('z', {});
    expect(sent).toHaveLength(1);
  });

  it('fails the request whose answer was lost: by the id at its beginning, or the only one open', async () => {
    const { peer } = createPeer();
    const [first, second] = [peer.request('x', () => ({})), peer.request('y', () => ({}))];
    peer.lose('{"jsonrpc":"2.0","id":2,"result":{"text":"xxxx', new Error('too large'));
    await expect(second.outcome).rejects.toThrow('too large');
    peer.lose('{"result":{"id":7,"text":"xxxx', new Error('also lost'));
    await expect(first.outcome).rejects.toThrow('also lost');
  });

  it.each([
    '{"jsonrpc":"2.0","id":2,"result":{"content":[{"ty',
    '{"jsonrpc":"2.0","id":"2","error":{"code":-1,',
    '{"id": 2, "jsonrpc": "2.0", "result": {bad}}',
  ])('fails the request of which half an answer came, at once and no other: %s', async (line) => {
    const { peer, noise } = createPeer();
    const [first, second] = [peer.request('x', () => ({})), peer.request('y', () => ({}))];
    peer.receive(line);
    expect(await second.outcome).toMatchObject({
      error: { message: expect.stringContaining('is cut off or not valid') },
    });
    expect([peer.awaits(first.id), noise]).toEqual([true, [line]]);
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"mess',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"id":1,"result":',
    '{"jsonrpc":"2.0","id":1,',
    'log: {"jsonrpc":"2.0","id":1,"result":{"content":[{"ty',
  ])('fails no request for half of anything else: %s', (line) => {
    const { peer } = createPeer();
    const { id } = peer.request('x', () => ({}));
    peer.receive(line);
    expect(peer.awaits(id)).toBe(true);
  });

  it('counts what answers no request of ours, by its length', () => {
    const lengths: number[] = [];
    const peer = new RpcPeer(
      { send() {}, onNoise() {}, onUnasked: (length) => lengths.push(length) },
      { notified() {}, asked: refuse, refuses: (method) => method === 'notifications/message' },
    );
    for (let n = 1; n <= 3; n++) void peer.request('x', () => ({})).outcome.catch(() => {});
    const unasked = [
      '{"jsonrpc":"2.0","id":77,"result":{}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
      '{"jsonrpc":"2.0","method":"other"}',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      'noise',
    ];
    const answers = [
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"id":2,"jsonrpc":"2.0","error":{"code":1,"message":""}}',
      '[{"jsonrpc":"2.0","id":3,"result":{}}]',
    ];
    for (const line of [...unasked, ...answers]) peer.receive(line);
    expect(lengths).toEqual(unasked.map((line) => line.length));
  });

  it('drops the answer to a request that was given up', async () => {
    const { peer, noise } = createPeer();
    const exchange = peer.request('x', () => ({}));
    exchange.abandon();
    peer.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(noise).toEqual([]);
    await expect(Promise.race([exchange.outcome, Promise.resolve('still open')])).resolves.toBe('still open');
  });
});
