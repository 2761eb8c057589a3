/** What stands in files, in one short text: it stays the same when they are copied, or written again with the same content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const newline = 0x0a;

export function digestFiles(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readWhat(path);
    hash.update(JSON.stringify([path, content?.length ?? null])).update(content ?? '');
  }
  return hash.digest('hex');
}

/** The first line of a catalog says when it was heard, and nothing of what. */
function readWhat(path: string): Buffer | undefined {
  try {
    const content = readFileSync(path);
    return path.endsWith('.jsonl') ? content.subarray(content.indexOf(newline) + 1) : content;
  } catch {
    return undefined;
  }
}
