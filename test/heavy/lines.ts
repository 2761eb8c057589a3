/** Bytes out and lines in, of which only the beginning is kept. */
import type { Readable, Writable } from 'node:stream';
import { eventually } from '../support/eventually.ts';

export interface Lines {
  /** Resolves when they have been handed over. */
  write(bytes: Buffer): Promise<void>;
  /** The beginnings of so many lines that have come since. */
  next(count: number): Promise<string[]>;
}

const shownLength = 400;
const newline = 0x0a;

export function openLines(input: Readable, output: Writable): Lines {
  const lines: string[] = [];
  let begun = '';
  let taken = 0;
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      lines.push(`${begun}${chunk.toString('latin1', start, Math.min(at, start + shownLength))}`.slice(0, shownLength));
      begun = '';
      start = at + 1;
    }
    if (begun.length < shownLength) begun += chunk.toString('latin1', start, start + shownLength);
  });
  input.on('error', () => {});
  output.on('error', () => {});
  return {
    write: (bytes) => new Promise((resolve) => output.write(bytes, () => resolve())),
    async next(count) {
      await eventually(() => lines.length >= taken + count, 60_000);
      taken += count;
      return lines.slice(taken - count, taken);
    },
  };
}
