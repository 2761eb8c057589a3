/**
 * Variables in strings: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${workspaceFolder}`, `${userHome}`.
 * One string gives one string: nothing is split, and nothing inside a value or a default is expanded again.
 */

export interface Variables {
  /** The value of a variable; an empty one is a value. */
  find(name: string): string | undefined;
  readonly workspaceFolder: string;
  readonly userHome: string;
}

export interface Expansion {
  readonly text: string;
  /** What came from variables: to be kept out of everything that is printed. */
  readonly used: readonly { readonly name: string; readonly value: string }[];
  readonly faults: readonly Fault[];
}

export interface Fault {
  /**
   * unset: no value and no default; input: only VS Code can ask for it; unknown: `${…}` that is no variable and was left
   * as it is; literal: a default that looks as if it should be expanded.
   */
  readonly kind: 'unset' | 'input' | 'unknown' | 'literal';
  readonly name: string;
  /** Where in the string. */
  readonly start: number;
  readonly length: number;
}

const variable = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

export function expandText(text: string, variables: Variables): Expansion {
  let expanded = '';
  const used: { name: string; value: string }[] = [];
  const faults: Fault[] = [];
  let at = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', at)) {
    const end = closingBrace(text, start);
    const length = (end < 0 ? text.length : end + 1) - start;
    const inner = text.slice(start + 2, end < 0 ? text.length : end);
    const whole = text.slice(start, start + length);
    expanded += text.slice(at, start);
    at = start + length;
    const [, name, fallback] = end < 0 ? [] : (variable.exec(inner) ?? []);
    if (name === undefined) {
      faults.push({ kind: inner.startsWith('input:') ? 'input' : 'unknown', name: inner, start, length });
      expanded += whole;
      continue;
    }
    if (fallback?.includes('${')) faults.push({ kind: 'literal', name, start, length });
    const built = inner === 'workspaceFolder' || inner === 'userHome' ? variables[inner] : undefined;
    const value = built ?? variables.find(name);
    if (value === undefined && fallback === undefined) faults.push({ kind: 'unset', name, start, length });
    if (value !== undefined && built === undefined) used.push({ name, value });
    expanded += value ?? fallback ?? whole;
  }
  return { text: expanded + text.slice(at), used, faults };
}

/** The brace that closes the `${` at `start`: a default may itself contain `${…}`. */
function closingBrace(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text.startsWith('${', at)) depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** Windows does not tell `Path` from `PATH`. */
export function findVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (platform !== 'win32') return undefined;
  const same = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return same === undefined ? undefined : env[same];
}
