/** A JSON value in few characters: its shape in one line, and its first entries with what was left out counted. */
import { isObject, type Json } from '../base/json/json.ts';

const maxShapeKeys = 12;
const maxShapeDepth = 4;

/** The types of a value: `{total: number, items: [5000 × {id: number, name: string}]}`. */
export function describeShape(value: Json, depth = maxShapeDepth): string {
  if (Array.isArray(value)) {
    const [first] = value;
    if (first === undefined) return '[]';
    return depth === 0 ? `[${value.length} entries]` : `[${value.length} × ${describeShape(first, depth - 1)}]`;
  }
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (depth === 0) return `{${keys.length} members}`;
  const shown = keys
    .slice(0, maxShapeKeys)
    .map((key) => `${toKey(key)}: ${describeShape(value[key] as Json, depth - 1)}`);
  const more = keys.length > maxShapeKeys ? [`… ${keys.length - maxShapeKeys} more members`] : [];
  return `{${[...shown, ...more].join(', ')}}`;
}

function toKey(key: string): string {
  const short = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  return /^[\w$-]+$/.test(short) ? short : JSON.stringify(short);
}

interface Rules {
  readonly entries: number;
  readonly characters: number;
  readonly depth: number;
}

/** From generous to strict. */
const levels: readonly Rules[] = [
  { entries: 100, characters: 1_000, depth: 8 },
  { entries: 50, characters: 400, depth: 8 },
  { entries: 20, characters: 200, depth: 6 },
  { entries: 10, characters: 120, depth: 5 },
  { entries: 5, characters: 80, depth: 4 },
  { entries: 3, characters: 40, depth: 3 },
  { entries: 2, characters: 20, depth: 2 },
];

/** The most generous form that `fits`; the strictest one where none does. */
export function abbreviate(value: Json, maxCharacters: number, fits: (text: string) => boolean): string {
  let text = '';
  for (const rules of levels) {
    text = write(value, rules, { left: maxCharacters }, '');
    if (text.length <= maxCharacters && fits(text)) return text;
  }
  return text;
}

/** Stops writing when the room is used up: such a text is not used. */
function write(value: Json, rules: Rules, room: { left: number }, indent: string): string {
  if (room.left < 0) return '';
  const text = toText(value, rules, room, indent);
  room.left -= Array.isArray(value) || isObject(value) ? indent.length : text.length;
  return text;
}

function toText(value: Json, rules: Rules, room: { left: number }, indent: string): string {
  if (typeof value === 'string') return cutString(value, rules.characters);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (rules.depth === 0) return `[… ${count(value.length, 'entry', 'entries')}]`;
    const rows = value.slice(0, rules.entries).map((entry) => writeBelow(entry, rules, room, indent));
    return join('[]', rows, toRest(value.length - rows.length, 'entry', 'entries'), indent);
  }
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (rules.depth === 0) return `{… ${count(keys.length, 'member', 'members')}}`;
  const rows = keys
    .slice(0, rules.entries * 2)
    .map((key) => `${cutString(key, rules.characters)}: ${writeBelow(value[key] as Json, rules, room, indent)}`);
  return join('{}', rows, toRest(keys.length - rows.length, 'member', 'members'), indent);
}

function writeBelow(value: Json, rules: Rules, room: { left: number }, indent: string): string {
  return write(value, { ...rules, depth: rules.depth - 1 }, room, `${indent} `);
}

const maxInline = 100;

/** On one line where that is short. */
function join(brackets: string, rows: readonly string[], rest: readonly string[], indent: string): string {
  const [open = '', close = ''] = brackets;
  const all = [...rows, ...rest];
  const inline = `${open}${all.join(', ')}${close}`;
  if (inline.length <= maxInline && !inline.includes('\n')) return inline;
  return `${open}\n${all.map((row) => `${indent} ${row}`).join(',\n')}\n${indent}${close}`;
}

function toRest(left: number, one: string, many: string): string[] {
  return left > 0 ? [`… ${count(left, one, many)} more`] : [];
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function cutString(text: string, most: number): string {
  if (text.length <= most) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, most))} … ${text.length - most} characters more`;
}
