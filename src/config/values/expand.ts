/**
 * Expands variables in strings: `${NAME}`, `${NAME:-default}`, those that editors know (`${workspaceFolder}`, `${userHome}`), and
 * unambiguous ones of other clients. Text that only looks like a variable is left as it is and reported.
 * One string gives one string: nothing is split, and nothing inside a value or a default is expanded again.
 */
import { defined } from '../../base/json/defined.ts';
import { adviseFor, builtIn, isEditorOnly, type Variables } from './foreign-variables.ts';

export interface Expansion {
  readonly text: string;
  /** The values of variables, which must be kept out of everything that is printed. */
  readonly used: readonly { readonly name: string; readonly value: string }[];
  readonly faults: readonly ExpansionFault[];
}

export interface ExpansionFault {
  /**
   * unset: no value and no default; input: only VS Code can ask for it; editor: only an editor knows it; file: it cannot be read;
   * unknown: `${…}` that is not a variable and was left as it is; literal: a default that looks as if it should be expanded;
   * foreign: of another client, understood; bare: `$NAME` or `%NAME%`, left as it is.
   */
  readonly kind: 'unset' | 'input' | 'editor' | 'file' | 'unknown' | 'literal' | 'foreign' | 'bare';
  readonly name: string;
  /** What to write instead, where that is known. */
  readonly instead?: string;
  /** The position in the string. */
  readonly start: number;
  readonly length: number;
}

const variable = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

export function expandText(text: string, variables: Variables): Expansion {
  let expanded = '';
  const used: { name: string; value: string }[] = [];
  const faults: ExpansionFault[] = [];
  let at = 0;

  /** The value, or the text as it is when there is no value. */
  const put = (name: string, value: string | undefined, missing: ExpansionFault, whole: string) => {
    if (value === undefined) faults.push(missing);
    else used.push({ name, value });
    expanded += value ?? whole;
  };
  const putFile = (path: string, whole: string, place: Pick<ExpansionFault, 'start' | 'length'>) =>
    put('file', variables.readFile(path), { kind: 'file', name: path, ...place }, whole);

  /** Text between two `${…}`: only the forms of opencode are expanded there. */
  const putPlain = (plain: string, offset: number) => {
    let from = 0;
    for (const match of plain.matchAll(braced)) {
      const [whole, name, path = ''] = match;
      const place = { start: offset + match.index, length: whole.length };
      expanded += plain.slice(from, match.index);
      from = match.index + whole.length;
      if (name === undefined) putFile(path, whole, place);
      else {
        faults.push({ kind: 'foreign', name, instead: `\${${name}}`, ...place });
        put(name, variables.find(name), { kind: 'unset', name, ...place }, whole);
      }
    }
    expanded += plain.slice(from);
    for (const { index, 0: whole, groups } of isScript(text) ? [] : plain.matchAll(bare)) {
      const name = groups?.dollar ?? groups?.percent ?? '';
      faults.push({ kind: 'bare', name: whole, instead: `\${${name}}`, start: offset + index, length: whole.length });
    }
  };

  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', at)) {
    const end = closingBrace(text, start);
    const length = (end < 0 ? text.length : end + 1) - start;
    const inner = text.slice(start + 2, end < 0 ? text.length : end);
    const whole = text.slice(start, start + length);
    putPlain(text.slice(at, start), at);
    at = start + length;
    const known = end < 0 ? undefined : builtIn(inner, variables);
    if (known !== undefined) {
      expanded += known;
      continue;
    }
    if (end >= 0 && inner.startsWith('file:') && inner.length > 'file:'.length) {
      putFile(inner.slice('file:'.length), whole, { start, length });
      continue;
    }
    const [, name, fallback] = end < 0 ? [] : (variable.exec(inner) ?? []);
    if (name === undefined) {
      const instead = adviseFor(inner);
      const kind = inner.startsWith('input:') ? 'input' : 'unknown';
      faults.push({ kind, name: inner, start, length, ...defined({ instead }) });
      expanded += whole;
      continue;
    }
    if (fallback?.includes('${')) faults.push({ kind: 'literal', name, start, length });
    const value = variables.find(name);
    if (value === undefined && fallback !== undefined) expanded += fallback;
    else put(name, value, { kind: isEditorOnly(name) ? 'editor' : 'unset', name, start, length }, whole);
  }
  putPlain(text.slice(at), at);
  return { text: expanded, used, faults };
}

/** `{env:NAME}` and `{file:path}`. */
const braced = /\{env:([A-Za-z_][A-Za-z0-9_]*)\}|\{file:([^{}\n]+)\}/g;

/** Names as variables have them: a price, a pattern or an escape in a URL must not look like one. */
const bare = /\$(?<dollar>[A-Z_][A-Z0-9_]{2,})|%(?<percent>[A-Z_][A-Z0-9_]{2,})%/g;

/** Several words are most likely for a shell, which has its own variables; the value of a header is an exception. */
function isScript(text: string): boolean {
  return /\s/.test(text.trim()) && !/^[A-Za-z]+ \S+$/.test(text);
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
