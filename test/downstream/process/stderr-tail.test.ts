import { describe, expect, it } from 'vitest';
import { createStderrTail } from '../../../src/downstream/process/stderr-tail.ts';

function feed(...chunks: string[]) {
  const seen: string[] = [];
  const tail = createStderrTail((line) => seen.push(line));
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return { seen, tail };
}

describe('what a server writes on stderr', () => {
  it('comes line by line however it is cut, without empty lines and carriage returns', () => {
    const { seen, tail } = feed('one\r\nt', 'wo\n\n  \nthr', 'ee');
    expect(seen).toEqual(['one', 'two']);
    expect(tail.lines()).toEqual(['one', 'two', 'three']);
    tail.end();
    expect(seen).toEqual(['one', 'two', 'three']);
    expect(tail.lines()).toEqual(['one', 'two', 'three']);
  });

  it('is cut at 4 KiB a line, and the next line is whole', () => {
    const { seen } = feed('a'.repeat(3000), 'a'.repeat(3000), 'a'.repeat(100_000), '\nnext\n');
    expect(seen).toEqual([`${'a'.repeat(4096)}…`, 'next']);
  });

  it('is kept up to the limit that is set, and handed on whole', () => {
    const seen: string[] = [];
    const tail = createStderrTail((line) => seen.push(line), 100);
    for (let index = 0; index < 50; index++) tail.push(Buffer.from(`line ${index}\n`));
    expect([seen.length, tail.lines().length, tail.lines().at(-1)]).toEqual([50, 12, 'line 49']);
  });

  it('is kept up to 64 KiB, the newest of it', () => {
    const { tail } = feed(...Array.from({ length: 5000 }, (_, index) => `line number ${index} €\n`));
    const lines = tail.lines();
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    expect(bytes).toBeLessThanOrEqual(64 * 1024);
    expect(bytes).toBeGreaterThan(63 * 1024);
    expect(lines.at(-1)).toBe('line number 4999 €');
  });
});
