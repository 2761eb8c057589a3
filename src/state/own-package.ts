/** Where our own package lies, in the built program and in a clone. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that a folder of ours belongs to. */
export function findOwnPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder;
  return findOwnPackage(dirname(folder));
}
