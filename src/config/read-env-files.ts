/** The variables that the `envFile` of a server brings. */
import { toPrintable } from '../base/printable.ts';
import { parseEnvFile } from './env-file.ts';
import { locate } from './locate.ts';
import type { Fields } from './read.ts';
import type { Reading } from './read-text.ts';
import type { serverShape } from './schema.ts';
import { placeOf } from './tree.ts';

export function readEnvFiles(
  fields: Fields<(typeof serverShape)['members']>,
  reading: Reading,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const member = fields.member('envFile');
  const given = fields.read('envFile', reading) ?? [];
  if (member === undefined) return values;
  const refuse = reading.unused ? reading.report.note : reading.report.error;
  // The paths as they are written: an expanded one may hold what must not be printed.
  const nodes = (member.node.children ?? [member.node]).filter((node) => node.type === 'string');
  for (const [index, path] of (typeof given === 'string' ? [given] : given).entries()) {
    const node = nodes[index] ?? member.node;
    const place = placeOf(node, member.path);
    const written = toPrintable(String(node.value), 200);
    if (path.includes('${')) continue; // An unset variable, reported as such.
    const text = findText(locate(path, reading.ground), reading.readFile);
    if (text === undefined) {
      refuse('WB1104', place, `the envFile "${written}" does not exist or cannot be read`);
      continue;
    }
    const file = parseEnvFile(text);
    for (const line of file.badLines)
      refuse('WB1104', place, `line ${line} of the envFile "${written}" is not NAME=value`);
    for (const [name, value] of file.values) {
      values.set(name, value);
      reading.secrets.learn(name, value);
    }
  }
  return values;
}

function findText(path: string, readFile: (path: string) => string): string | undefined {
  try {
    return readFile(path);
  } catch {
    return undefined;
  }
}
