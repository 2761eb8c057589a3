/** One page of a held text: a range of lines or characters, as much of it as fits. */
import { fitHead } from './fit-text.ts';
import { alignBack, type HeldText } from './held-text.ts';

export interface Range {
  readonly unit: 'lines' | 'chars';
  /** Lines count from 1 and `to` is the last one; characters count from 0 and `to` is behind the last one. */
  readonly from: number;
  readonly to?: number | undefined;
}

export interface Page {
  readonly text: string;
  /** The characters that are shown. */
  readonly from: number;
  readonly to: number;
  /** The rest of the range that was asked for, or of the text; undefined when there is none. */
  readonly next?: string | undefined;
}

const form = /^(?:(lines?|chars?|characters?) *)?(\d{1,15}) *(-|\.\.|:|$) *(\d{1,15})?$/i;

export const rangeForms = '"1-200" for lines, "chars 0-20000" for characters, "200-" for everything from a line on';

/** Undefined when the text is not a range. */
export function parseRange(text: string): Range | undefined {
  const [, unit = 'lines', from, dash, to] = form.exec(text.trim()) ?? [];
  if (from === undefined) return undefined;
  const isLines = unit.toLowerCase().startsWith('line');
  const first = Number(from);
  // A single number is that one line or character.
  const last = to !== undefined ? Number(to) : dash === '' ? first + (isLines ? 0 : 1) : undefined;
  if (last !== undefined && last < first) return undefined;
  return isLines ? { unit: 'lines', from: Math.max(1, first), to: last } : { unit: 'chars', from: first, to: last };
}

export function readRange(held: HeldText, range: Range, maxTokens: number): Page {
  const { from, to } = toCharacters(held, range);
  const end = fitHead(held.text, from, to, maxTokens);
  return { text: held.text.slice(from, end), from, to: end, next: end < to ? toNext(held, range, end, to) : undefined };
}

/** The characters of a range, cut to those that exist; characters of two code units are taken whole. */
export function toCharacters(
  held: HeldText,
  { unit, from, to }: Range,
): { readonly from: number; readonly to: number } {
  const { length } = held.text;
  if (unit === 'lines') return { from: held.startOf(from - 1), to: to === undefined ? length : held.startOf(to) };
  const end = Math.min(to ?? length, length);
  const start = alignBack(held.text, Math.min(from, length));
  return { from: start, to: alignBack(held.text, end) < end ? end + 1 : end };
}

/** What to ask for to go on: by lines when the page ended with one, otherwise by characters. */
function toNext(held: HeldText, { unit }: Range, end: number, to: number): string {
  const isLineEnd = held.text.charCodeAt(end - 1) === 0x0a;
  if (unit === 'chars' || !isLineEnd) return `chars ${end}-${to === held.text.length ? '' : to}`;
  return `${held.lineAt(end) + 1}-${to === held.text.length ? '' : held.lineAt(to - 1) + 1}`;
}
