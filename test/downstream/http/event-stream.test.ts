import { describe, expect, it } from 'vitest';
import { createEventReader, type StreamEvent } from '../../../src/downstream/http/event-stream.ts';

function read(pieces: readonly string[], maxLength = 1_000) {
  const events: StreamEvent[] = [];
  const retries: number[] = [];
  let oversize = 0;
  const reader = createEventReader({
    maxLength,
    onEvent: (event) => events.push(event),
    onRetry: (delayMs) => retries.push(delayMs),
    onOversize: () => oversize++,
  });
  for (const piece of pieces) reader.push(piece);
  return { events, retries, oversize };
}

describe('a stream of events', () => {
  it.each<[string, string]>([
    ['newlines', 'id: 1\ndata: {"a":\ndata: 1}\n\ndata: x\n\n'],
    ['returns', 'id: 1\rdata: {"a":\rdata: 1}\r\rdata: x\r\r'],
    ['both', '\ufeffid: 1\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: comment\r\ndata: x\r\n\r\n'],
  ])('is read the same with %s, however it is cut', (_name, text) => {
    const expected = [
      { event: 'message', data: '{"a": 1}', id: '1' },
      { event: 'message', data: 'x', id: '1' },
    ];
    expect(read([text]).events).toEqual(expected);
    expect(read([...text]).events).toEqual(expected);
  });

  it('tells names, waits and events that only carry an id', () => {
    const { events, retries } = read([
      'event: endpoint\ndata:/x\n\nretry: 250\nretry: soon\nid: 7\ndata:\n\nid: 8\n\n',
    ]);
    expect(events).toEqual([
      { event: 'endpoint', data: '/x', id: undefined },
      { event: 'message', data: '', id: '7' },
      { event: 'message', data: '', id: '8' },
    ]);
    expect(retries).toEqual([250]);
  });

  it('drops an event that was not finished', () => {
    expect(read(['data: half\n']).events).toEqual([]);
  });

  it('ends at an event that is too long, told once, also when it comes in many lines', () => {
    expect(read(['data: ', 'x'.repeat(60), 'x'.repeat(60), '\n\ndata: y\n\n'], 100)).toMatchObject({
      events: [],
      oversize: 1,
    });
    expect(
      read(
        Array.from({ length: 40 }, () => 'data: x\n'),
        100,
      ),
    ).toMatchObject({ events: [], oversize: 1 });
  });

  it('may be longer than one event may be', () => {
    expect(
      read(
        Array.from({ length: 40 }, () => 'data: x\n\n'),
        100,
      ).events,
    ).toHaveLength(40);
  });
});
