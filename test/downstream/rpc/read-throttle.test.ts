import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createReadThrottle } from '../../../src/downstream/rpc/read-throttle.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const chunks = 50;

/** A server whose chunks bring so many messages each, read at a pace. */
function startReading({
  messages,
  length = 10,
  unasked = true,
}: {
  messages: number;
  length?: number;
  unasked?: boolean;
}) {
  const clock = createFakeClock();
  const pace = createReadThrottle(clock);
  const stream = Readable.from(Array.from({ length: chunks }, () => Buffer.from('x')));
  const other = Readable.from(Array.from({ length: chunks }, () => 'x'));
  let read = 0;
  let readOfOther = 0;
  const hurry = pace.read(stream, () => {
    read++;
    if (unasked) for (let n = 0; n < messages; n++) pace.heard(length);
  });
  const settle = async () => {
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...{ clock, hurry, settle },
    readOther: () => void pace.read(other, () => readOfOther++),
    get read() {
      return read;
    },
    get readOfOther() {
      return readOfOther;
    },
  };
}

describe('a server that says much unasked', () => {
  it.each([
    ['many messages', { messages: 250 }, 5],
    ['large messages', { messages: 1, length: 1024 * 1024 }, 4],
  ])('is not read for a moment: %s', async (_, what, atOnce) => {
    const reading = startReading(what);
    await reading.settle();
    expect(reading.read).toBe(atOnce);
    await reading.clock.advance(19);
    await reading.settle();
    expect(reading.read).toBe(atOnce);
    await reading.clock.advance(1);
    await reading.settle();
    expect(reading.read).toBe(2 * atOnce);
  });

  it('rests with all its streams', async () => {
    const reading = startReading({ messages: 2_000 });
    await reading.settle();
    reading.readOther();
    await reading.settle();
    expect([reading.read, reading.readOfOther]).toEqual([1, 1]);
  });

  it('is read to the end without rests once it has ended', async () => {
    const reading = startReading({ messages: 250 });
    await reading.settle();
    reading.hurry();
    await reading.settle();
    expect([reading.read, reading.clock.pending]).toEqual([chunks, 0]);
  });
});

describe('a server that is read without rests', () => {
  it.each([
    ['says little', { messages: 20 }],
    ['only answers', { messages: 2_000, unasked: false }],
  ])('%s', async (_, what) => {
    const reading = startReading(what);
    await reading.settle();
    expect(reading.read).toBe(chunks);
  });
});
