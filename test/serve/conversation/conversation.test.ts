import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/base/call/call.ts';
import { Busy } from '../../../src/base/errors/busy.ts';
import type { Json } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { rpcError } from '../../../src/base/rpc/rpc.ts';
import { silentLog } from '../../../src/base/text/log.ts';
import { Conversation } from '../../../src/serve/conversation/conversation.ts';
import type { Request } from '../../../src/serve/conversation/message.ts';

const request: Request = { kind: 'request', id: 1, method: 'tools/call', params: {}, meta: {} };

type Handle = () => Promise<Outcome | undefined>;

function setUp(handle: Handle) {
  const edge = { request: handle, close() {} };
  const conversation = new Conversation({ log: silentLog, edges: { find: () => edge, legacy: undefined } });
  const answer = async () => (await conversation.receive(request, { send() {} }))?.text;
  return { requests: conversation.requests, answer };
}

/** No text can be made of it. */
function deep(): Json {
  let value: Json = [];
  for (let level = 0; level < 100_000; level++) value = [value];
  return value;
}

const good: Outcome = { result: RawJson.of({}) };

describe('a request', () => {
  it.each<[string, Handle, string]>([
    ['a result', async () => good, '"result":{}'],
    ['an error', async () => ({ error: rpcError(-32050, 'no') }), '"message":"no"'],
    ['an error that cannot be written', async () => ({ error: rpcError(-32050, 'no', deep()) }), 'failed to handle'],
    ['a result that cannot be written', async () => ({ result: RawJson.of({ deep: deep() }) }), 'failed to handle'],
    ['thrown', () => fail(new Error('broken')), 'failed to handle'],
    ['rejected', async () => fail(new Error('broken')), 'failed to handle'],
    ['that too much is under way', () => fail(new Busy('too much')), 'too much'],
  ])('a request is answered and over when what comes of it is %s', async (_case, handle, text) => {
    const { requests, answer } = setUp(handle);
    expect(String(await answer())).toContain(text);
    expect(requests.begin(1)).toBeDefined();
  });

  it('a request is not answered when it was cancelled, in whatever way it ends', async () => {
    const { requests, answer } = setUp(async () => good);
    const answered = answer();
    requests.cancel(1);
    expect(await answered).toBeUndefined();
  });

  it('a request keeps its id for as long as it is open, and when it stays open', async () => {
    const { requests, answer } = setUp(async () => undefined);
    const answered = answer();
    expect(String(await answer())).toContain('is in use');
    expect(await answered).toBeUndefined();
    expect([requests.begin(1), await requests.idle()]).toEqual([undefined, undefined]);
  });

  it('a request is answered without an edge where none is needed, and refused when too many are open', async () => {
    const edges = { find: () => good, legacy: undefined };
    const conversation = new Conversation({ log: silentLog, edges, maxRequests: 1 });
    expect(await conversation.receive(request, { send() {} })).toMatchObject({
      text: expect.stringContaining('"result":{}'),
    });
    conversation.requests.begin('other');
    expect(await conversation.receive(request, { send() {} })).toMatchObject({ fault: 'busy' });
  });
});

function fail(error: Error): never {
  throw error;
}
