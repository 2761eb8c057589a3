import { describe, expect, it } from 'vitest';
import { createLineReader } from '../../../src/base/rpc/lines.ts';

function read(chunks: readonly (string | Buffer)[], maxBytes = 1_000) {
  const seen: string[] = [];
  const reader = createLineReader({
    maxBytes,
    onLine: (line) => seen.push(line),
    onOversize: (bytes, head) => seen.push(`oversize ${bytes} ${head.slice(0, 4)}`),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return seen;
}

describe('reading lines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [
      ['a', 'b\nc', '\n'],
      ['ab', 'c'],
    ],
    [['a\r\nb\r\n'], ['a', 'b']],
    [['\n\n\r\na\n'], ['a']],
    [['no newline at the end'], ['no newline at the end']],
    [['a\n', ''], ['a']],
  ])('%j gives %j', (chunks, lines) => {
    expect(read(chunks)).toEqual(lines);
  });

  it('joins a character that was cut between two chunks', () => {
    const bytes = Buffer.from('é→𝄞\n');
    for (let cut = 1; cut < bytes.length; cut++)
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(['é→𝄞']);
  });

  it('skips a line over the limit, says how long it was, and reads the next one', () => {
    expect(read(['abcdefgh\nij\n'], 5)).toEqual(['oversize 8 abcd', 'ij']);
    expect(read(['abc', 'def', 'gh\nij\n'], 5)).toEqual(['oversize 8 abcd', 'ij']);
    expect(read(['abcde\nij\n'], 5)).toEqual(['abcde', 'ij']);
    expect(read(['abcdefgh'], 5)).toEqual(['oversize 8 abcd']);
  });

  it.each([7, 8, 1_000])('gives the same lines however the bytes are cut, with a limit of %i bytes', (maxBytes) => {
    const bytes = Buffer.concat([
      Buffer.from('a\r\n\n{"é":1}\nlonger\n'),
      Buffer.from([0xe2, 0x86, 0x0a, 0xff]),
      Buffer.from('b\nc'),
    ]);
    const lines = read(
      [...bytes].map((byte) => Buffer.from([byte])),
      maxBytes,
    );
    expect(lines.slice(-2)).toEqual(['\ufffdb', 'c']);
    for (let first = 0; first <= bytes.length; first++)
      for (let second = first; second <= bytes.length; second++)
        expect(
          read([bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)], maxBytes),
        ).toEqual(lines);
  });
});
