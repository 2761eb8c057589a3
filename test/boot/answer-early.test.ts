import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLineReader } from '../../src/base/lines.ts';
import { answerEarly, type Early } from '../../src/boot/answer-early.ts';

const rest = (method: string) => `{"jsonrpc":"2.0","id":,"method":"${method}"}`;
const ask = (method: string, id: number | string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}"}`;
const known = new Map([
  [rest('initialize'), Buffer.from(',"result":{"name":"ä"}}\n')],
  [rest('tools/list'), Buffer.from(',"result":{"tools":[1]}}\n')],
]);
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const call = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"grüß"}}';
const answered = (id: number | string, result: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`;
const helloAnswer = (id: number | string) => answered(id, '{"name":"ä"}');
const listAnswer = (id: number | string) => answered(id, '{"tools":[1]}');

function begin({ answers = known }: { answers?: ReadonlyMap<string, Buffer> } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const written: Buffer[] = [];
  output.on('data', (chunk: Buffer) => written.push(chunk));
  const find = vi.fn((first: string) => (answers.has(first) ? answers : undefined));
  const early = answerEarly({ input, output, find });
  return { input, output, find, early, written: () => Buffer.concat(written).toString('utf8') };
}

/** Everything that whoever takes over reads, once the client has gone. */
async function readRest({ input }: Early, client: PassThrough): Promise<string> {
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => input.on('end', resolve));
  input.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  if (!client.writableEnded) client.end();
  await ended;
  return Buffer.concat(chunks).toString('utf8');
}

describe('a client that begins as it did before', () => {
  // How long the machine takes for something must not count as silence of the client.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it.each<[number | string, number | string]>([
    [1, 2],
    [0, 999_999],
    ['a', 'b'],
    ['ünï', 7],
  ])('is answered under its ids of now: %j, %j', async (first, second) => {
    const { input, early, written, find } = begin();
    const text = `${ask('initialize', first)}\n${initialized}\n${ask('tools/list', second)}\n`;
    input.write(text);
    input.write(`${call}\n`);
    const { given } = await early;
    expect(written()).toBe(helloAnswer(first) + listAnswer(second));
    expect(given).toEqual([
      { line: ask('initialize', first), answer: helloAnswer(first).trimEnd() },
      { line: ask('tools/list', second), answer: listAnswer(second).trimEnd() },
    ]);
    expect(find).toHaveBeenCalledTimes(1);
    expect(await readRest(await early, input)).toBe(`${text}${call}\n`);
  });

  it('is answered the same and loses no byte wherever its text is cut', async () => {
    const text = Buffer.from(
      `${ask('initialize', 'ü')}\r\n\n\r\n${initialized}\n${ask('tools/list', 2)}\n${call}\n${call}`,
    );
    for (let cut = 0; cut <= text.length; cut++) {
      const { input, early, written } = begin();
      input.write(text.subarray(0, cut));
      await new Promise(setImmediate);
      input.write(text.subarray(cut));
      expect(await readRest(await early, input)).toBe(text.toString('utf8'));
      expect(written()).toBe(helloAnswer('ü') + listAnswer(2));
    }
  });

  it('is answered when its text comes byte by byte', async () => {
    const { input, early, written } = begin();
    const text = Buffer.from(`${ask('initialize', 'ü')}\n${call}\n`);
    for (const byte of text) input.write(Buffer.from([byte]));
    expect(await readRest(await early, input)).toBe(text.toString('utf8'));
    expect(written()).toBe(helloAnswer('ü'));
  });

  it.each([
    ['spaces around', `  ${ask('initialize', 1)} `],
    ['a tab behind', `${ask('initialize', 1)}\t`],
    ['two carriage returns', `${ask('initialize', 1)}\r\r`],
    ['a byte order mark', `\ufeff${ask('initialize', 1)}`],
    ['Windows line ends', `${ask('initialize', 1)}\r`],
    ['nothing special', ask('initialize', 1)],
  ])('is given answers for exactly the lines that the program will read: %s', async (_, line) => {
    const { input, early, written } = begin({
      answers: new Map([...known, [` ${rest('initialize')}`, Buffer.from('}\n')]]),
    });
    input.write(`${line}\n${call}\n`);
    const { given } = await early;
    const lines: string[] = [];
    const reader = createLineReader({ maxBytes: 1e6, onLine: (text) => lines.push(text), onOversize: () => {} });
    reader.push(Buffer.from(await readRest(await early, input)));
    for (const [at, exchange] of given.entries()) expect(exchange.line).toBe(lines[at]);
    expect(written().split('\n')).toHaveLength(given.length + 1);
  });

  it.each([
    ['another question', ask('prompts/list', 2)],
    ['a call', call],
    ['another notification', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['a batch', `[${ask('tools/list', 2)}]`],
    ['what is no JSON', '}'],
    ['white space', '  '],
    ['a notification with an odd id', '{"jsonrpc":"2.0","method":"notifications/initialized","id":1.5}'],
    ['a notification with an id in an odd place', '{"params":{},"id":5,"method":"notifications/initialized"}'],
  ])('is left to the program from %s on, although more is known behind it', async (_, line) => {
    const { input, early, written } = begin();
    const text = `${ask('initialize', 1)}\n${line}\n${ask('tools/list', 3)}\n`;
    input.write(text);
    expect((await early).given).toHaveLength(1);
    expect(await readRest(await early, input)).toBe(text);
    expect(written()).toBe(helloAnswer(1));
  });

  it.each([initialized, call, '{}', ask('tools/call', 1)])(
    'is left to the program when it begins with %s',
    async (line) => {
      const { input, early, written } = begin();
      input.write(`${line}\n${ask('initialize', 1)}\n`);
      expect((await early).given).toEqual([]);
      expect(await readRest(await early, input)).toBe(`${line}\n${ask('initialize', 1)}\n`);
      expect(written()).toBe('');
    },
  );

  it('is given every byte on, once, also what comes while nobody reads', async () => {
    const { input, early } = begin();
    input.write(`${ask('initialize', 1)}\n${call}\nhalf a l`);
    const taken = await early;
    input.write('ine\n');
    await new Promise(setImmediate);
    input.write('and more\n');
    expect(await readRest(taken, input)).toBe(`${ask('initialize', 1)}\n${call}\nhalf a line\nand more\n`);
  });

  it.each([
    ['a question', `${ask('initialize', 1)}\n`, helloAnswer(1)],
    ['half a question', `${ask('initialize', 1)}\n${ask('tools/list', 2)}`, helloAnswer(1)],
    ['nothing', '', ''],
  ])('that leaves after %s is handed over with its end', async (_, text, expected) => {
    const { input, early, written } = begin();
    input.end(text);
    expect(await readRest(await early, input)).toBe(text);
    expect(written()).toBe(expected);
  });

  it('whose input breaks is handed over with its end', async () => {
    const { input, early, written } = begin();
    input.write(`${ask('initialize', 1)}\n`);
    while (written() === '') await new Promise(setImmediate);
    input.destroy(new Error('broken'));
    expect(await readRest(await early, new PassThrough().end())).toBe(`${ask('initialize', 1)}\n`);
  });

  it('whose output is closed counts as not answered, so that the program finds out', async () => {
    const input = new PassThrough();
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    output.on('error', () => {});
    const early = answerEarly({ input, output, find: () => known });
    input.write(`${ask('initialize', 1)}\n`);
    expect((await early).given).toEqual([]);
    expect(await readRest(await early, input)).toBe(`${ask('initialize', 1)}\n`);
  });

  it('is left to the program after a moment of silence, and after a while however it goes on', async () => {
    const silent = begin();
    await vi.advanceTimersByTimeAsync(29);
    expect(await Promise.race([silent.early, 'waiting'])).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect((await silent.early).given).toEqual([]);

    const slow = begin();
    slow.input.write(`${ask('initialize', 1)}\n`);
    await vi.advanceTimersByTimeAsync(20);
    slow.input.write('{"json');
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.race([slow.early, 'waiting'])).toBe('waiting');
    await vi.advanceTimersByTimeAsync(10);
    expect((await slow.early).given).toHaveLength(1);

    const dripping = begin();
    const isOver = vi.fn();
    void dripping.early.then(isOver);
    for (let ms = 0; ms < 240; ms += 20) {
      dripping.input.write('{');
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(isOver).not.toHaveBeenCalled();
    dripping.input.write('{');
    await vi.advanceTimersByTimeAsync(10);
    expect(isOver).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is answered no more than a few times, and not at all when its first line does not end', async () => {
    const eager = begin();
    const text = Array.from({ length: 500 }, (_, id) => `${ask('tools/list', id)}\n`).join('');
    eager.input.write(text);
    const { given } = await eager.early;
    expect(given).toHaveLength(8);
    expect(await readRest(await eager.early, eager.input)).toBe(text);
    expect(eager.written().split('\n')).toHaveLength(given.length + 1);

    const long = begin();
    long.input.write('x'.repeat(70_000));
    expect(await readRest(await long.early, long.input)).toBe('x'.repeat(70_000));
  });

  it('leaves no listener on its streams, and no timer', async () => {
    const { input, output, early } = begin();
    const names = ['data', 'end', 'error'];
    const before = names.map((name) => new PassThrough().listenerCount(name));
    input.write(`${call}\n`);
    await early;
    expect(vi.getTimerCount()).toBe(0);
    expect(names.map((name) => input.listenerCount(name))).toEqual(before);
    expect(output.listenerCount('error')).toBe(0);
  });
});
