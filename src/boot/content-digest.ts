/** What stands in files, in one short text: it stays the same when they are copied, or written again with the same content. */
import { createHash } from 'node:crypto';
import { readNamed } from '../state/named-file.ts';

const newline = 0x0a;
/** As much as a configuration or a catalog may have. */
const mostBytes = 16 * 1_024 * 1_024;

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
    const content = readNamed(path, mostBytes).bytes;
    return path.endsWith('.jsonl') ? content.subarray(content.indexOf(newline) + 1) : content;
  } catch {
    return undefined;
  }
}
