import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { Payload } from '../../src/base/payload.ts';
import { notificationText, resultText } from '../../src/base/rpc.ts';
import { createClientPipe } from '../../src/serve/client-pipe.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const maxBytes = 100_000;

/** A client that reads one write at a time, when told to. */
function startClient() {
  const written: string[] = [];
  const taken: (() => void)[] = [];
  const errors: Error[] = [];
  const logged: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      written.push(...chunk.trimEnd().split('\n'));
      taken.push(done);
    },
  });
  output.on('error', (error) => errors.push(error));
  const clock = createFakeClock();
  const log = { ...silentLog, warn: (message: string) => void logged.push(message) };
  const pipe = createClientPipe(output, { maxBytes, clock, log });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    ...{ pipe, written, errors, logged, settle, clock },
    readOne: () => taken.shift()?.(),
    async readAll() {
      for (let done = taken.shift(); done !== undefined; done = taken.shift()) {
        done();
        await settle();
      }
    },
  };
}

const answer = (id: number, bytes = 10) => resultText(id, Payload.of({ text: 'x'.repeat(bytes) }));
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
    ['an answer that looks like progress', resultText(2, Payload.of({ text: progress })), 'at once'],
  ])('is sent %s over half of the bound: %#', async (_, line, when) => {
    const { pipe, written, settle, readAll, errors } = startClient();
    pipe.send(answer(1, maxBytes / 2));
    await settle();
    for (const each of [line, line]) pipe.send(each);
    await settle();
    await readAll();
    expect(written.filter((each) => each === line)).toHaveLength({ never: 0, later: 1, 'at once': 2 }[when] ?? -1);
    expect(errors).toEqual([]);
    pipe.send(line);
    await settle();
    await readAll();
    expect(written.at(-1)).toBe(line);
  });

  it('is sent everything below half of the bound', async () => {
    const { pipe, written, settle, readAll } = startClient();
    pipe.send(answer(1, maxBytes / 2 - 1_000));
    for (const line of [progress, message, listChanged]) pipe.send(line);
    await settle();
    await readAll();
    expect(written.slice(1)).toEqual([progress, message, listChanged]);
  });

  const givenUp = 'the client does not read: it is given up';

  it('is given up over four times the bound, once, and is written nothing more', async () => {
    const { pipe, written, settle, errors, logged, clock } = startClient();
    for (let id = 1; id <= 20; id++) pipe.send(answer(id, 70_000));
    pipe.flush();
    await settle();
    expect(errors.map((error) => error.message)).toEqual([givenUp]);
    expect(logged).toEqual([givenUp]);
    expect([written.length, clock.pending]).toEqual([1, 0]);
  });

  it('is given up over the bound when it takes nothing for 10 s', async () => {
    const { pipe, errors, clock } = startClient();
    for (let id = 1; id <= 4; id++) pipe.send(answer(id, 70_000));
    await clock.advance(9_999);
    expect(errors).toEqual([]);
    await clock.advance(1);
    expect(errors.map((error) => error.message)).toEqual([givenUp]);
  });

  it('is kept over the bound for as long as it takes something, and left in peace below it', async () => {
    const { pipe, errors, clock, readOne, readAll, written } = startClient();
    for (let id = 1; id <= 6; id++) pipe.send(answer(id, 70_000));
    for (let read = 0; read < 3; read++) {
      readOne();
      await clock.advance(10_000);
    }
    await readAll();
    await clock.advance(60_000);
    expect([errors, clock.pending, written.length]).toEqual([[], 0, 6]);
  });

  it('is not given up for one large answer', async () => {
    const { pipe, written, settle, readAll, errors } = startClient();
    pipe.send(answer(1, maxBytes * 2));
    await settle();
    await readAll();
    pipe.send(answer(2));
    await settle();
    await readAll();
    expect([written.length, errors]).toEqual([2, []]);
  });
});
