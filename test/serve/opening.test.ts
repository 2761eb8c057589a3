import { describe, expect, it } from 'vitest';
import { parseLine, type Request } from '../../src/serve/message.ts';
import { createOpening } from '../../src/serve/opening.ts';

const hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}';
const tools = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';
const call = '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}';
const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}';
const modern =
  '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}';

function read(line: string): Request {
  return parseLine(line).messages[0] as Request;
}

describe('the opening of a client', () => {
  it('is what it asked and was answered until it did something', () => {
    const opening = createOpening();
    expect(opening.follow(hello, read(hello))('A')).toBe('A');
    const later = opening.follow(tools, read(tools));
    expect(opening.open).toBe(true);
    opening.follow(call, read(call));
    expect(opening.open).toBe(false);
    expect(later('B')).toBe('B');
    expect(opening.end()).toEqual([
      { line: hello, answer: 'A' },
      { line: tools, answer: 'B' },
    ]);
  });

  it('is not answered again where the client has the answers', () => {
    const opening = createOpening([
      { line: hello, answer: 'A' },
      { line: tools, answer: 'B' },
    ]);
    expect(opening.follow(hello, read(hello))('A')).toBeUndefined();
    expect(opening.follow(tools, read(tools))('B')).toBeUndefined();
    // Once for each: whoever asks again is answered.
    expect(opening.follow(tools, read(tools))('B')).toBe('B');
  });

  it.each([
    [tools, changed],
    [hello, undefined],
    [modern, undefined],
  ])('says of an answer to %s that it was another one only where that can be said', (line, expected) => {
    expect(createOpening([{ line, answer: 'before' }]).follow(line, read(line))('now')).toBe(expected);
  });

  it('tells nothing of a question that was answered before and cancelled since', () => {
    const opening = createOpening([{ line: tools, answer: 'before' }]);
    expect(opening.follow(tools, read(tools))(undefined)).toBeUndefined();
    expect(opening.end()).toEqual([]);
  });

  it('holds nothing any more once it was told or was heard again', () => {
    const given = [
      { line: hello, answer: 'A' },
      { line: tools, answer: 'B' },
    ];
    const opening = createOpening(given);
    opening.follow(hello, read(hello))('A');
    expect(given).toHaveLength(1);
    // What the client has must not be sent again, however late it is read.
    expect(opening.end()).toEqual([{ line: hello, answer: 'A' }]);
    expect(opening.open).toBe(true);
    expect(opening.follow(tools, read(tools))('B')).toBeUndefined();
    expect(given).toEqual([]);
    expect(opening.end()).toEqual([{ line: tools, answer: 'B' }]);
    expect(opening.open).toBe(false);
    expect(opening.end()).toEqual([]);
  });

  it.each([
    ['answers', tools, 'x'.repeat(5_000_000)],
    ['questions', `${' '.repeat(5_000_000)}${tools}`, 'x'],
  ])('is forgotten when its %s are too long', (_, line, answer) => {
    const opening = createOpening();
    opening.follow(hello, read(hello))('A');
    opening.follow(line, read(line))(answer);
    opening.follow(tools, read(tools))('B');
    expect(opening.end()).toHaveLength(0);
  });

  it('ends after some questions', () => {
    const opening = createOpening();
    for (let n = 0; n < 20; n++) opening.follow(tools, read(tools))('x');
    expect(opening.open).toBe(false);
    expect(opening.end()).toHaveLength(8);
  });
});
