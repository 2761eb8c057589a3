/** Finds the lines of a held text that match a pattern, with the lines around them. Takes turns with other work. */
import { estimateTokens } from '../base/text/token-estimate.ts';
import { alignBack, type HeldText } from './held-text.ts';
import { Matcher } from './pattern-match.ts';
import { parsePattern } from './pattern-syntax.ts';

export interface Grepped {
  /** The matches that fit: `12:line` for a match, `11-line` for a line beside one, `12@345:part` for a part of a long line. */
  readonly text: string;
  /** Lines that match, shown or not. */
  readonly matches: number;
  /** Lines that match and are shown. */
  readonly shown: number;
  /** The line to go on from when not all are shown; lines count from 1. */
  readonly next?: number | undefined;
  /** The pattern is not a regular expression here and was looked for as it is written. */
  readonly literal: boolean;
}

export interface GrepOptions {
  readonly pattern: string;
  /** The lines to look at, from 0; `to` is behind the last. */
  readonly from: number;
  readonly to: number;
  readonly maxTokens: number;
}

/** A longer line is shown in parts, around its matches. */
const maxLine = 400;
const around = 120;
const maxParts = 10;
/** Lines before and after a match. */
const context = 1;
/** Characters that are searched before other work gets its turn. */
const turn = 500_000;

export async function grep(held: HeldText, options: GrepOptions): Promise<Grepped> {
  const { text } = held;
  const { pattern, maxTokens } = options;
  const { findEnd, literal } = toFinder(pattern);
  const report = createReport(held, maxTokens);
  let lineStart = held.startOf(options.from);
  let searched = 0;
  for (let line = options.from; line < options.to; line++) {
    const next = nextLine(text, lineStart);
    const end = withoutBreak(text, lineStart, next);
    const found = findEnd(text, lineStart, end, lineStart);
    if (found !== -1) report.add({ line, start: lineStart, end, found, findEnd });
    searched += next - lineStart;
    lineStart = next;
    if (searched > turn) {
      searched = 0;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  return { ...report.end(), literal };
}

type FindEnd = Matcher['findEnd'];

/** A pattern without capitals finds any case; those of classes such as `\S` do not count. */
function toFinder(pattern: string): { readonly findEnd: FindEnd; readonly literal: boolean } {
  const letters = pattern.replace(/\\./g, '');
  const ignoreCase = letters === letters.toLowerCase();
  const parsed = parsePattern(pattern, ignoreCase);
  if (parsed === undefined) {
    const escaped = parsePattern(pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ignoreCase);
    if (escaped !== undefined) return { findEnd: matcherOf(escaped), literal: true };
    return { findEnd: findLiteral(pattern), literal: true };
  }
  const isPlain = !ignoreCase && !/[\\^$.*+?()[\]{}|]/.test(pattern);
  return { findEnd: isPlain ? findLiteral(pattern) : matcherOf(parsed), literal: false };
}

function matcherOf(pattern: ConstructorParameters<typeof Matcher>[0]): FindEnd {
  const matcher = new Matcher(pattern);
  return (...place) => matcher.findEnd(...place);
}

/** Also for texts that are too long to be a pattern. */
function findLiteral(wanted: string): FindEnd {
  return (text, from, to) => {
    const at = text.slice(from, to).indexOf(wanted);
    return at === -1 ? -1 : from + at + wanted.length;
  };
}

function nextLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}

/** The end of a line without what ends it. */
function withoutBreak(text: string, from: number, next: number): number {
  const end = text.charCodeAt(next - 1) === 0x0a ? next - 1 : next;
  return end > from && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
}

interface Match {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Behind its first match. */
  readonly found: number;
  readonly findEnd: FindEnd;
}

function createReport(held: HeldText, maxTokens: number) {
  const { text } = held;
  const rows: string[] = [];
  let tokens = 0;
  let matches = 0;
  let shown = 0;
  let next: number | undefined;
  /** The last line that is in the rows. */
  let last = -1;

  const besides = (line: number): string[] => {
    if (line <= last || line < 0 || line >= held.lines) return [];
    const start = held.startOf(line);
    const end = withoutBreak(text, start, nextLine(text, start));
    const cut = alignBack(text, Math.min(end, start + maxLine));
    return [`${line + 1}-${text.slice(start, cut)}${cut < end ? '…' : ''}`];
  };
  return {
    add(match: Match): void {
      matches++;
      if (next !== undefined) return;
      const { line, start, end } = match;
      const before = besides(line - context);
      const own = end - start <= maxLine ? [`${line + 1}:${text.slice(start, end)}`] : toParts(text, match);
      const gap = last >= 0 && line - context > last + context + 1 ? ['--'] : [];
      const cost = [...gap, ...before, ...own].reduce((sum, row) => sum + estimateTokens(row) + 1, 0);
      if (tokens + cost > maxTokens && shown > 0) {
        next = line + 1;
        return;
      }
      // The line after the match before this one may be this line or the one before it.
      const pending = last >= 0 && last + context < line - context ? besides(last + context) : [];
      rows.push(...pending, ...gap, ...before, ...own);
      tokens += cost + pending.reduce((sum, row) => sum + estimateTokens(row) + 1, 0);
      shown++;
      last = line;
    },
    end() {
      if (last >= 0 && next === undefined) rows.push(...besides(last + context));
      return { text: rows.join('\n'), matches, shown, next };
    },
  };
}

/** The surroundings of the first matches in a long line, each with the place of its first character in the whole text. */
function toParts(text: string, { line, start, end, found, findEnd }: Match): string[] {
  const parts: string[] = [];
  for (let at = found; at !== -1 && parts.length < maxParts; ) {
    const from = alignBack(text, Math.max(start, at - around));
    const to = alignBack(text, Math.min(end, at + around));
    parts.push(`${line + 1}@${from}:${from > start ? '…' : ''}${text.slice(from, to)}${to < end ? '…' : ''}`);
    at = to < end ? findEnd(text, to, end, start) : -1;
  }
  return parts;
}
