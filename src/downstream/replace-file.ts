/** A file of our state is replaced as a whole, closed to others: whoever reads sees the old text or the new one, never half of it. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** `draft` lies beside the file, and no other process writes there. */
export function replaceFile(file: string, draft: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
