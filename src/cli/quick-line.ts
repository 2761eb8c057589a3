/**
 * The usual command lines of `serve` on stdio and of `attach`, understood without the program. Whatever is unusual or wrong is left
 * to the program, which reads it by its tables; so the two can never disagree about what is accepted here.
 */

export interface QuickLine {
  /** Without a command a pipe is served. */
  readonly command: 'serve' | 'attach';
  readonly config?: string;
  readonly mode?: string;
  readonly separator?: string;
  readonly name?: string;
  readonly version?: string;
  readonly quiet: boolean;
}

const valued = new Set(['config', 'mode', 'separator', 'name', 'version']);
const modes = new Set(['meta', 'dynamic', 'flat']);

/** Undefined when the program has to look at it. */
export function parseQuickLine(argv: readonly string[]): QuickLine | undefined {
  const [first] = argv;
  const command = first === 'attach' ? 'attach' : 'serve';
  const values = new Map<string, string>();
  let quiet = false;
  for (let at = first === command ? 1 : 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--quiet' || word === '-q') {
      quiet = true;
      continue;
    }
    const [, name = '', inline] = /^--([a-z]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const value = inline ?? argv[++at];
    // A value that looks like a flag, or a command behind a flag that may stand alone, needs a closer look.
    if (!valued.has(name) || value === undefined || (inline === undefined && !isPlain(name, value))) return undefined;
    if (name === 'mode' && !modes.has(value)) return undefined;
    values.set(name, value);
  }
  return { ...Object.fromEntries(values), command, quiet };
}

function isPlain(name: string, value: string): boolean {
  return !value.startsWith('-') && (name !== 'version' || /^\d/.test(value));
}
