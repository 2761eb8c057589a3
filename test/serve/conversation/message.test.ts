import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json/json.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import type { FrontSession } from '../../../src/front/front.ts';
import { parseLine, parseMessage } from '../../../src/serve/conversation/message.ts';
import { createOpenRequests } from '../../../src/serve/conversation/requests.ts';
import { downgradeList, downgradeResult } from '../../../src/serve/edge/downgrade.ts';
import { readListPage } from '../../../src/serve/edge/list-page.ts';

describe('what a client sent', () => {
  it.each([
    ['not json', -32700, null],
    ['[]', -32600, null],
    ['7', -32600, null],
    ['{}', -32600, null],
    ['{"id":1}', -32600, 1],
    ['{"id":1,"method":7}', -32600, 1],
    ['{"id":null,"method":"x"}', -32600, null],
    ['{"id":1.5,"method":"x"}', -32600, null],
    ['{"id":{},"method":"x"}', -32600, null],
    ['{"id":"a","method":"x","params":[]}', -32602, 'a'],
    ['{"id":"a","method":"x","params":"p"}', -32602, 'a'],
    ['{"id":0,"method":"x","params":{"_meta":[]}}', -32602, 0],
    ['{"id":0,"method":"x","params":{"_meta":null}}', -32602, 0],
  ])('%s is answered with %d under the id %j', (line, code, id) => {
    expect(parseLine(line).messages).toMatchObject([{ kind: 'invalid', id, error: { code } }]);
  });

  it.each([
    ['{"method":"n","params":7}', 'notification'],
    ['{"id":"","method":"m"}', 'request'],
    ['{"id":"","method":"m","params":null}', 'request'],
  ])('%s is taken as %s', (line, kind) => {
    expect(parseLine(line).messages).toMatchObject([{ kind }]);
  });

  const unusable = { error: { code: -32603, message: expect.stringContaining('neither a result nor an error') } };
  it.each([
    ['{"id":1,"result":{"a":1}}', 1, { result: { a: 1 } }],
    ['{"id":"q","error":{"code":-1,"message":"no","data":7}}', 'q', { error: { code: -1, message: 'no', data: 7 } }],
    ['{"id":null,"error":{"code":-1,"message":"no"}}', null, { error: { code: -1, message: 'no' } }],
    ['{"id":1.5,"result":{}}', null, { result: {} }],
    ['{"id":1,"result":7}', 1, unusable],
    ['{"id":1,"result":[]}', 1, unusable],
    ['{"id":1,"error":{}}', 1, unusable],
    ['{"id":1,"error":null}', 1, unusable],
    ['{"id":1,"error":"no","result":{}}', 1, unusable],
    ['{"id":1,"error":{"code":"-1","message":"no"}}', 1, unusable],
    ['{"id":1,"error":{"code":-1}}', 1, unusable],
  ])('%s is the answer to a question of ours', (line, id, outcome) => {
    expect(parseLine(line).messages).toEqual([{ kind: 'response', id, outcome }]);
  });

  it('is refused unread when it is a batch of more than 100 messages', () => {
    const batch = (count: number) => parseLine(`[${Array.from({ length: count }, () => '{"method":"n"}')}]`);
    expect([batch(100).batch, batch(100).messages.length]).toEqual([true, 100]);
    expect(batch(101)).toMatchObject({ batch: false, messages: [{ kind: 'invalid', id: null, tooMuch: true }] });
    const scalars = parseLine(`[${'1,'.repeat(1_000_000)}1]`);
    expect(scalars.messages).toMatchObject([{ error: { code: -32600, data: { code: 'WB1316' } } }]);
  });

  it.each([
    ['at its beginning', (args: string) => `{"jsonrpc":"2.0","id":"x","method":"m","params":{"a":${args}}}`],
    ['at its end', (args: string) => `{"method":"m","params":{"a":${args}},"jsonrpc":"2.0","id":"x"}`],
    [
      'before the version at its end',
      (args: string) => `{"method":"m","params":{"a":${args}},"id":"x","jsonrpc":"2.0"}`,
    ],
  ])('is refused under its own id when it holds too much: an id %s', (_, message) => {
    const wide = `[${'{"id":7},'.repeat(20_000)}1]`;
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    for (const args of [wide, deep])
      expect(parseLine(message(args)).messages).toMatchObject([{ kind: 'invalid', id: 'x', tooMuch: true }]);
    expect(parseLine(message(wide), 1_000_000).messages).toMatchObject([{ kind: 'request', id: 'x' }]);
  });

  it('is read by its own members only', () => {
    expect(parseMessage(JSON.parse('{"__proto__":{"method":"x","id":1}}') as Json)).toMatchObject({ kind: 'invalid' });
  });
});

describe('open requests', () => {
  it('open requests tell 1 from "1", and refuse an id that is in use', () => {
    const requests = createOpenRequests();
    expect(requests.begin(1)).toBeDefined();
    expect(requests.begin('1')).toBeDefined();
    expect(requests.begin(1)).toBeUndefined();
    requests.end(1);
    expect(requests.begin(1)).toBeDefined();
  });

  it('open requests do not wait for one that is kept open, but can cancel it', async () => {
    const requests = createOpenRequests();
    const signal = requests.begin('listen');
    requests.keep('listen');
    await requests.idle();
    expect(requests.begin('listen')).toBeUndefined();
    requests.cancel('listen');
    expect(signal?.aborted).toBe(true);
    expect(requests.begin('listen')).toBeDefined();
  });
});

describe('a page of a list', () => {
  const session = {
    list: async (_kind: string, cursor?: string) =>
      cursor === 'bad' ? undefined : RawJson.of({ cursor: cursor ?? null }),
  };
  it.each([
    [{}, { page: { value: { cursor: null } } }],
    [{ cursor: '' }, { page: { value: { cursor: '' } } }],
    [{ cursor: 'bad' }, { error: { code: -32602 } }],
    [{ cursor: 7 }, { error: { code: -32602 } }],
    [{ cursor: null }, { error: { code: -32602 } }],
    [{ cursor: { toString: 1 } }, { error: { code: -32602 } }],
  ])('a page of a list asked for with %j', async (params, answer) => {
    expect(await readListPage(session as unknown as FrontSession, 'tools', params)).toMatchObject(answer);
  });
});

describe('what is lowered for the handshake era', () => {
  it('is an output schema that is not of type object', () => {
    const page = RawJson.of({
      tools: [
        { name: 'a', outputSchema: { type: 'array' } },
        { name: 'b', outputSchema: { type: 'object' } },
      ],
    });
    expect(downgradeList(page).value).toEqual({
      tools: [{ name: 'a' }, { name: 'b', outputSchema: { type: 'object' } }],
    });
    expect(downgradeList(page)).toBe(downgradeList(page));
  });

  it('is structured content that is no object, kept as text when there is no other', () => {
    const lowered = downgradeResult({ result: RawJson.of({ content: [], structuredContent: [1, 2] }) });
    expect(lowered).toMatchObject({ result: { value: { content: [{ type: 'text', text: '[1,2]' }] } } });
    expect('result' in lowered && lowered.result.value).not.toHaveProperty('structuredContent');
  });

  it('is nothing else', () => {
    const outcome = { result: RawJson.of({ content: [], structuredContent: {} }) };
    expect(downgradeResult(outcome)).toBe(outcome);
  });
});
