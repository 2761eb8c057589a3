import { describe, expect, it } from 'vitest';
import { Busy } from '../../src/base/busy.ts';
import type { Outcome } from '../../src/base/call.ts';
import { Eventual } from '../../src/base/eventual.ts';
import type { Json } from '../../src/base/json.ts';
import { silentLog } from '../../src/base/log.ts';
import { Payload } from '../../src/base/payload.ts';
import { rpcError } from '../../src/base/rpc.ts';
import { type AnswerOptions, answerRequest } from '../../src/serve/answer.ts';
import type { Request } from '../../src/serve/message.ts';
import { createOpenRequests } from '../../src/serve/requests.ts';

const request: Request = { kind: 'request', id: 1, method: 'tools/call', params: {}, meta: {} };

function setUp(handle: AnswerOptions['handle']) {
  const requests = createOpenRequests();
  return { requests, answer: () => answerRequest(request, { requests, log: silentLog, handle }) };
}

/** No text can be made of it. */
function deep(): Json {
  let value: Json = [];
  for (let level = 0; level < 100_000; level++) value = [value];
  return value;
}

const good: Outcome = { result: Payload.of({}) };

describe('a request', () => {
  it.each<[string, AnswerOptions['handle'], string]>([
    ['there at once', () => good, '"result":{}'],
    ['promised', async () => good, '"result":{}'],
    ['come to later', () => Eventual.of(Promise.resolve(good)), '"result":{}'],
    ['an error', () => ({ error: rpcError(-32050, 'no') }), '"message":"no"'],
    ['an error that cannot be written', () => ({ error: rpcError(-32050, 'no', deep()) }), 'failed to handle'],
    ['a result that cannot be written', () => ({ result: Payload.of({ deep: deep() }) }), 'failed to handle'],
    ['thrown', () => fail(new Error('broken')), 'failed to handle'],
    ['that too much is under way', () => fail(new Busy('too much')), 'too much'],
  ])('is answered and over when what comes of it is %s', async (_case, handle, text) => {
    const { requests, answer } = setUp(handle);
    expect(String(await answer())).toContain(text);
    expect(requests.begin(1)).toBeDefined();
  });

  it('is not answered when it was cancelled, in whatever way it ends', async () => {
    const { requests, answer } = setUp(async () => good);
    const answered = answer();
    requests.cancel(1);
    expect(await answered).toBeUndefined();
  });

  it('keeps its id for as long as it is open, and when it stays open', async () => {
    const { requests, answer } = setUp(async () => undefined);
    const answered = answer();
    expect(String(await answer())).toContain('is in use');
    expect(await answered).toBeUndefined();
    expect([requests.begin(1), await requests.idle()]).toEqual([undefined, undefined]);
  });
});

function fail(error: Error): never {
  throw error;
}
