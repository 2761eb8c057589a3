/** The lines of a stream as they are typed. */
import type { Readable } from 'node:stream';

/** A longer line is not something that a person typed or pasted. */
const longest = 64 * 1024;

export async function* readLines(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of stream) {
    held += decoder.decode(chunk as Buffer, { stream: true });
    const lines = held.split('\n');
    held = (lines.pop() ?? '').slice(-longest);
    yield* lines;
  }
  if (held !== '') yield held;
}
