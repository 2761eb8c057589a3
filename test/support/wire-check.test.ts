import { describe, expect, it } from 'vitest';
import { createTranscript } from './transcript.ts';
import { assertOnlyMessages, findFault } from './wire-check.ts';

describe('a line on stdout', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}',
  ])('is a message: %s', (line) => {
    expect(findFault(line)).toBeUndefined();
  });

  it.each([
    ['', 'is not a JSON object'],
    ['hello', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0"}', 'is not a JSON object'],
    ['{"id":1,"result":{}}', 'does not say jsonrpc 2.0'],
    ['{"jsonrpc":"2.0","id":1}', 'has no instead of one'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":null}', 'has result and error instead of one'],
    ['{"jsonrpc":"2.0","id":1,"result":null}', 'has a result that is no object'],
    ['{"jsonrpc":"2.0","id":null,"result":{}}', 'answers without an id'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 'has an id that is neither string nor integer'],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 'has a method that is no string'],
    ['{"jsonrpc":"2.0","method":"x","params":[]}', 'has params that are no object'],
    ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'has an error that is no object'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"no"}}', 'has an error without an integer code'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', 'has an error without a message'],
    ['{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":""}}', 'has an id that is neither string nor integer'],
  ])('is no message: %j', (line, fault) => {
    expect(findFault(line)).toContain(fault);
  });

  it('is named with its number by the assertion', () => {
    const good = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect(() => assertOnlyMessages([good, good])).not.toThrow();
    expect(() => assertOnlyMessages([good, 'oops'])).toThrow('line 2 on stdout is not a JSON object: oops');
  });
});

describe('a transcript', () => {
  it('keeps every line as it came, however it was cut, blank ones and carriage returns included', () => {
    const transcript = createTranscript();
    for (const piece of ['a', 'b\n\nc\r', '\n{"x"', ':1}\n', 'last']) transcript.push(piece);
    expect(transcript.lines).toEqual(['ab', '', 'c\r', '{"x":1}']);
    transcript.end('over');
    expect(transcript.lines.at(-1)).toBe('last');
    expect(transcript.messages).toEqual([{ raw: '{"x":1}', message: { x: 1 } }]);
  });

  it('gives the next message that fits, not one that came before', async () => {
    const transcript = createTranscript();
    transcript.push('{"n":1}\n');
    const next = transcript.next('a number', 1_000, ({ n }) => typeof n === 'number');
    transcript.push('{"m":0}\n{"n":2}\n{"n":3}\n');
    expect((await next).message).toEqual({ n: 2 });
  });

  it('tells whoever waits why nothing will come', async () => {
    const transcript = createTranscript();
    const early = transcript.next('early', 1_000, () => true);
    transcript.end('it exited');
    await expect(early).rejects.toThrow('early: it exited');
    await expect(transcript.next('late', 1_000, () => true)).rejects.toThrow('late: it exited');
  });
});
