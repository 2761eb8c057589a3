/** Formats problems for a person: the place, the lines around it with a caret, what is wrong, what to do. */
import { errorTable } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { Problem } from './problem.ts';

/** How many columns of a line are shown: a file of one endless line must not fill the screen. */
const widest = 100;

/** More problems than a person corrects before trying again. */
const maxShown = 50;

/** 1-based. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** 1-based, in the units editors count. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1) + 1;
}

export interface Source {
  /** The name of the file in messages. */
  readonly file: string;
  /** The text with secrets already masked, character for character; undefined when there was no text. */
  readonly text: string | undefined;
}

export function renderProblems(problems: readonly Problem[], source: Source): string {
  const shown = problems.slice(0, maxShown).map((problem) => renderProblem(problem, source));
  const rest = problems.length - shown.length;
  return [...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n\n');
}

function renderProblem(problem: Problem, { file, text }: Source): string {
  const place =
    text === undefined
      ? [file, problem.path].filter((part) => part !== '').join(' ')
      : `${file}:${lineOf(text, problem.offset)}:${columnOf(text, problem.offset)}`;
  const sign = problem.severity === 'error' ? '✖' : 'ℹ';
  const fix = problem.fix ?? errorTable[problem.code].fix;
  return [
    `${sign} ${place}  ${problem.message}`,
    ...(text === undefined ? [] : frame(text, problem.offset, problem.length)),
    ...fix.split('\n').map((line, index) => `  ${index === 0 ? 'Fix  ' : '     '}${line}`),
    `  ${problem.code}`,
  ].join('\n');
}

/** The line of the problem, the line before it, and carets below the problem. */
function frame(text: string, offset: number, length: number): string[] {
  const line = lineOf(text, offset);
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const content = lineAt(text, start);
  const column = Math.min(offset - start, content.length);
  const marked = Math.max(1, Math.min(length, content.length - column));
  // A long line is cut so that the problem stays visible.
  const from = column + marked <= widest ? 0 : Math.max(0, column - Math.floor(widest / 3));
  const to = Math.min(content.length, from + widest);
  const lead = from > 0 ? '…' : '';
  const before = lead + toPrintable(content.slice(from, column), 1_000);
  const target = toPrintable(content.slice(column, Math.min(to, column + marked)), 1_000);
  const after = toPrintable(content.slice(Math.min(to, column + marked), to), 1_000);
  const gutter = String(line).length;
  const rows: string[] = [];
  if (start > 0) {
    const previous = lineAt(text, text.lastIndexOf('\n', start - 2) + 1);
    rows.push(`   ${String(line - 1).padStart(gutter)} | ${toPrintable(previous, widest)}`.trimEnd());
  }
  rows.push(` > ${line} | ${before}${target}${after}${to < content.length ? '…' : ''}`.trimEnd());
  rows.push(
    `   ${' '.repeat(gutter)} | ${' '.repeat([...before].length)}${'^'.repeat(Math.max(1, [...target].length))}`,
  );
  return rows;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? text.length : end);
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
