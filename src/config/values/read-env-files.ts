/** Reads the variables in the `envFile` of a server. */
import { toPrintable } from '../../base/text/printable.ts';
import { placeOf } from '../document/json-node.ts';
import type { serverShape } from '../model/schema.ts';
import type { Fields } from '../read/read.ts';
import type { Reading } from '../read/read-text.ts';
import { UnusableFile } from '../source/read-config-bytes.ts';
import { resolvePath } from '../source/resolve-path.ts';
import { parseEnvFile } from './env-file.ts';

export function readEnvFiles(
  fields: Fields<(typeof serverShape)['members']>,
  reading: Reading,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const member = fields.member('envFile');
  const given = fields.read('envFile', reading) ?? [];
  if (member === undefined) return values;
  const refuse = reading.unused ? reading.report.note : reading.report.error;
  // The paths as they are written: an expanded path may hold a secret.
  const nodes = (member.node.children ?? [member.node]).filter((node) => node.type === 'string');
  for (const [index, path] of (typeof given === 'string' ? [given] : given).entries()) {
    const node = nodes[index] ?? member.node;
    const place = placeOf(node, member.path);
    const written = toPrintable(String(node.value), 200);
    if (path.includes('${')) continue; // An unset variable, which has its own report.
    const found = findText(resolvePath(path, reading.ground), reading.readFile);
    if (found.text === undefined) {
      const { code, why, fix } = toRefusal(found.error, written);
      refuse(code, place, `the envFile "${written}" ${why}`, fix);
      continue;
    }
    const file = parseEnvFile(found.text);
    for (const line of file.badLines)
      refuse('WB1104', place, `line ${line} of the envFile "${written}" is not NAME=value`);
    for (const [name, value] of file.values) {
      values.set(name, value);
      reading.secrets.learn(name, value);
    }
  }
  return values;
}

function findText(
  path: string,
  readFile: (path: string) => string,
): { text: string } | { text?: never; error: unknown } {
  try {
    return { text: readFile(path) };
  } catch (error) {
    return { error };
  }
}

function toRefusal(
  error: unknown,
  written: string,
): { code: 'WB1104' | 'WB1413' | 'WB1414'; why: string; fix?: string } {
  if (!(error instanceof UnusableFile)) return { code: 'WB1104', why: 'does not exist or cannot be read' };
  const code = error.code === 'WB1413' ? 'WB1413' : 'WB1414';
  return { code, why: error.why, fix: error.fixOf(written) };
}
