import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { bytesOf, ChunkedText, chunkedFrom, textOfParts } from '../../../src/base/json/chunked-text.ts';
import { createLineWriter } from '../../../src/base/rpc/line-writer.ts';

const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

describe('a text that came in parts', () => {
  it.each([
    ['none', ''],
    ['a short one', 'a Ω 😀'],
    ['a long one', 'x'.repeat(chunkedFrom * 3)],
    ['a long one beyond ASCII', 'Ω😀'.repeat(chunkedFrom)],
    ['one that is too long to keep room for', 'y'.repeat(5 * 1024 * 1024)],
    ['a shorter one after it', 'z'.repeat(chunkedFrom + 1)],
  ])('is put together wherever it was cut: %s', (_, text) => {
    const bytes = Buffer.from(text);
    for (const size of [7, 65_536]) expect(textOfParts(cut(bytes, size), bytes.length) === text).toBe(true);
  });
});

describe('the bytes of a long text', () => {
  it('are in memory of their own until they are released', () => {
    const [first, second] = [bytesOf('a'.repeat(chunkedFrom)), bytesOf('b'.repeat(chunkedFrom))];
    expect(first.bytes.equals(Buffer.alloc(chunkedFrom, 'a'))).toBe(true);
    expect(second.bytes.equals(Buffer.alloc(chunkedFrom, 'b'))).toBe(true);
    first.release();
    first.release();
    const [third, fourth] = [bytesOf('c'.repeat(100)), bytesOf('d'.repeat(100))];
    expect(third.bytes.buffer).not.toBe(fourth.bytes.buffer);
    expect([third.bytes.toString(), fourth.bytes.toString()]).toEqual(['c'.repeat(100), 'd'.repeat(100)]);
    expect(second.bytes.equals(Buffer.alloc(chunkedFrom, 'b'))).toBe(true);
  });

  it('take memory that was released, and no more of it than they need', () => {
    const first = bytesOf('Ω'.repeat(chunkedFrom));
    first.release();
    const second = bytesOf('e'.repeat(chunkedFrom));
    expect(second.bytes.buffer).toBe(first.bytes.buffer);
    expect(second.bytes.length).toBe(chunkedFrom);
  });
});

describe('a long text in parts', () => {
  const parts = ['{"a":"', 'Ω😀'.repeat(chunkedFrom), '"}', ''];
  const whole = parts.join('');

  it('has the length, the text and the bytes of the whole', () => {
    const text = new ChunkedText(parts);
    expect(text.length).toBe(whole.length);
    expect(String(text) === whole).toBe(true);
    expect(bytesOf(text).bytes.equals(Buffer.from(whole))).toBe(true);
  });

  it.each([
    ['long', parts],
    ['short', ['a', 'b']],
  ])('is one line among others: %s', async (_, given) => {
    const stream = new PassThrough({ highWaterMark: 10 * chunkedFrom });
    const writer = createLineWriter(stream);
    for (const line of ['before', new ChunkedText(given), 'behind']) writer.send(line);
    writer.flush();
    stream.end();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString() === `before\n${given.join('')}\nbehind\n`).toBe(true);
  });
});

describe('long lines', () => {
  const lines = ['a', 'b', 'c'].map((letter) => letter.repeat(chunkedFrom + 1));

  it('are never changed behind the back of a stream within the process, which keeps what it was given', async () => {
    const stream = new PassThrough({ highWaterMark: 10 * chunkedFrom });
    const writer = createLineWriter(stream);
    for (const line of lines) {
      writer.send(line);
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.end();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString() === `${lines.join('\n')}\n`).toBe(true);
  });

  it('use the memory of those that have left the process, and of no other', async () => {
    const seen: ArrayBufferLike[] = [];
    let fails = false;
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        seen.push(chunk.buffer);
        done(fails ? new Error('broken') : null);
      },
    });
    stream.on('error', () => {});
    const writer = createLineWriter(stream, true);
    const send = async (line: string) => {
      writer.send(line);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await send('a'.repeat(chunkedFrom + 1));
    fails = true;
    await send('b'.repeat(chunkedFrom + 1));
    expect(seen[1]).toBe(seen[0]);
    expect(bytesOf('c'.repeat(chunkedFrom + 1)).bytes.buffer).not.toBe(seen[1]);
  });
});
