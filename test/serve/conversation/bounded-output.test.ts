import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ChunkedText } from '../../../src/base/json/chunked-text.ts';
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { notificationText, resultLine, resultText } from '../../../src/base/rpc/rpc.ts';
import { type LogFields, silentLog } from '../../../src/base/text/log.ts';
import { createBoundedOutput } from '../../../src/serve/conversation/bounded-output.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const maxBytes = 1_000_000;
const givenUp = 'the client does not read: it is given up';
const readsAgain = 'a client did not read; some messages were left out';

/** A client that reads one write at a time, when told to. */
function startClient({ inParts = true } = {}) {
  let text = '';
  const taken: (() => void)[] = [];
  const errors: string[] = [];
  const logged: [string, unknown][] = [];
  const clock = createFakeClock();
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString('utf8');
      taken.push(done);
    },
  });
  output.on('error', ({ message }) => errors.push(message));
  const bounded = createBoundedOutput(output, {
    maxBytes,
    clock,
    log: { ...silentLog, warn: (event: string, fields?: LogFields) => void logged.push([event, fields?.count]) },
    frame: (message) => `${message}\n`,
    ...(inParts ? { frameLong: (parts: readonly string[]) => [...parts, '\n'] } : {}),
    cut: (reason) => output.destroy(reason),
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    ...{ bounded, output, errors, logged, settle, clock },
    readOne: async () => {
      taken.shift()?.();
      await settle();
    },
    async readAll() {
      await settle();
      for (let done = taken.shift(); done !== undefined; done = taken.shift()) {
        done();
        await settle();
      }
      return text.split('\n').slice(0, -1);
    },
  };
}

const answer = (id: number, bytes = 10) => resultText(id, RawJson.of({ text: 'x'.repeat(bytes) }));
const progress = notificationText('notifications/progress', { progressToken: 1, progress: 1 });
const message = notificationText('notifications/message', { level: 'info', data: 'x' });
const listChanged = notificationText('notifications/tools/list_changed', {});
const updated = notificationText('notifications/resources/updated', { uri: 'file:///a' });
const complete = notificationText('notifications/elicitation/complete', { elicitationId: 'a' });

describe('a client that does not read', () => {
  it.each([
    ['progress', progress, 'never'],
    ['a log message', message, 'never'],
    ['a change of a list', listChanged, 'later'],
    ['a change of a resource', updated, 'later'],
    ['the end of a question', complete, 'at once'],
    ['an answer', answer(2), 'at once'],
    ['an answer that looks like progress', resultText(2, RawJson.of({ text: progress })), 'at once'],
  ])('a client that does not read is sent %s over half of the bound: %#', async (_, line, when) => {
    const { bounded, settle, readAll, errors, logged } = startClient();
    bounded.send(answer(1, maxBytes / 2));
    await settle();
    for (const each of [line, line]) bounded.send(each, `${each} in its turn\n`);
    const written = await readAll();
    const wanted = { never: [], later: [line], 'at once': [`${line} in its turn`, `${line} in its turn`] };
    expect(written.slice(1)).toEqual(wanted[when as keyof typeof wanted]);
    expect([errors, logged]).toEqual([[], when === 'never' ? [[readsAgain, 2]] : []]);
    bounded.send(line);
    expect((await readAll()).at(-1)).toBe(line);
  });

  it.each([true, false])(
    'a client that does not read is sent a long answer whole and in its turn, in parts: %s',
    async (inParts) => {
      const { bounded, readAll } = startClient({ inParts });
      const long = resultLine(2, RawJson.of({ text: 'Ω😀'.repeat(200_000) }));
      expect(long).toBeInstanceOf(ChunkedText);
      for (const line of [answer(1), long, answer(3)]) bounded.send(line);
      const written = await readAll();
      expect(written.length).toBe(3);
      expect(written[1] === String(long)).toBe(true);
      expect([written[0], written[2]]).toEqual([answer(1), answer(3)]);
    },
  );

  it('a client that does not read is sent a long answer also over half of the bound', async () => {
    const { bounded, readAll, settle } = startClient();
    bounded.send(answer(1, maxBytes / 2));
    await settle();
    const long = resultLine(2, RawJson.of({ text: 'x'.repeat(100_000) }));
    bounded.send(long);
    expect((await readAll())[1] === String(long)).toBe(true);
  });

  it('a client that does not read is sent everything below half of the bound, in order', async () => {
    const { bounded, readAll } = startClient();
    bounded.send(answer(1, maxBytes / 2 - 1_000));
    for (const line of [progress, message, listChanged]) bounded.send(line);
    expect((await readAll()).slice(1)).toEqual([progress, message, listChanged]);
  });

  it('a client that does not read is given up over four times the bound, once, and is written nothing more', async () => {
    const { bounded, settle, errors, logged, clock, readAll } = startClient();
    for (let id = 1; id <= 20; id++) bounded.send(answer(id, 700_000));
    bounded.flush();
    await settle();
    expect(errors).toEqual([givenUp]);
    expect(logged.map(([event]) => event)).toEqual([givenUp]);
    expect([await readAll(), clock.pending]).toEqual([[], 0]);
  });

  it('a client that does not read is given up over the bound when it takes nothing for 10 s, also behind the last of all', async () => {
    const { bounded, errors, clock } = startClient();
    for (let id = 1; id <= 4; id++) bounded.send(answer(id, 700_000));
    bounded.end();
    await clock.advance(9_999);
    expect(errors).toEqual([]);
    await clock.advance(1);
    expect(errors).toEqual([givenUp]);
  });

  it('a client that does not read is kept over the bound for as long as it takes some of one large message, and left in peace below it', async () => {
    const { bounded, errors, clock, readOne, readAll, settle } = startClient();
    bounded.send(answer(1, maxBytes * 2));
    bounded.send(answer(2));
    await settle();
    for (let read = 0; read < 3; read++) {
      await readOne();
      await clock.advance(10_000);
    }
    expect(errors).toEqual([]);
    const written = await readAll();
    await clock.advance(60_000);
    expect([errors, clock.pending, written.length]).toEqual([[], 0, 2]);
  });

  it('a client that does not read is told the count of what it missed in the log also when it goes', () => {
    const { bounded, logged } = startClient();
    bounded.send(answer(1, maxBytes));
    for (let n = 1; n <= 7; n++) bounded.send(progress);
    bounded.close();
    expect(logged).toEqual([[readsAgain, 7]]);
  });
});

describe('a client that reads', () => {
  it.each([0, 1, 2, 3])('a client that reads gets a large message whole, wherever it is cut: %i', async (shift) => {
    const { bounded, readAll } = startClient();
    const text = 'a'.repeat(shift) + '😀'.repeat(200_000);
    bounded.send(text);
    expect((await readAll())[0] === text).toBe(true);
  });

  it('a client that reads gets everything that was sent before the end', async () => {
    const { bounded, output, readAll } = startClient();
    bounded.send(answer(1, 700_000));
    bounded.end();
    expect(output.writableEnded).toBe(false);
    expect(await readAll()).toHaveLength(1);
    expect(output.writableEnded).toBe(true);
  });

  it('a client that reads is handed over everything at once where it is flushed', async () => {
    const { bounded, output, settle } = startClient();
    bounded.send(answer(1, 700_000));
    await settle();
    bounded.flush();
    expect(output.writableLength).toBeGreaterThan(700_000);
    expect(bounded.waiting).toBe(output.writableLength);
  });
});
