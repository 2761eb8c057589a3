/**
 * The usual command lines of `attach`, understood without the program. The program reads every other line by its tables, so the two
 * cannot disagree about what is accepted here.
 */
import { isMode } from '../../base/mode.ts';

export interface QuickLine {
  readonly config?: string;
  readonly mode?: string;
  readonly separator?: string;
  readonly client?: string;
  readonly name?: string;
  readonly version?: string;
  readonly quiet: boolean;
}

const valued = new Set(['config', 'mode', 'separator', 'client', 'name', 'version']);

/** Undefined when the program has to read the line. */
export function parseQuickLine(argv: readonly string[]): QuickLine | undefined {
  if (argv[0] !== 'attach') return undefined;
  const values = new Map<string, string>();
  let quiet = false;
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--quiet' || word === '-q') {
      quiet = true;
      continue;
    }
    const [, name = '', inline] = /^--([a-z]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const value = inline ?? argv[++at];
    // A value may look like a flag, or be a command behind a flag that can stand alone: the program decides these.
    if (!valued.has(name) || value === undefined || (inline === undefined && !isPlain(name, value))) return undefined;
    if (name === 'mode' && !isMode(value)) return undefined;
    values.set(name, value);
  }
  return { ...Object.fromEntries(values), quiet };
}

function isPlain(name: string, value: string): boolean {
  return !value.startsWith('-') && (name !== 'version' || /^\d/.test(value));
}
