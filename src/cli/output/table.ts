/** Formats rows as a table that fits the terminal; where it cannot fit, as `name: value` lines. */
import { cutToWidth, padToWidth, textWidth } from './text-width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** May be cut when the terminal is narrow. */
  readonly flexible?: boolean;
}

export interface Row {
  /** One character in front of the row, and its colour. */
  readonly mark: string;
  paintMark?(mark: string): string;
  /** One printable text for each column. */
  readonly cells: readonly string[];
}

const narrowest = 60;
const shortestCell = 8;
const gap = 2;

export function toTable({
  columns,
  rows,
  width,
}: {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly width: number;
}): string[] {
  const widths = width < narrowest ? undefined : fitWidths(columns, rows, width);
  if (widths === undefined) return rows.flatMap((row) => toLines(columns, row));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => padToWidth(cutToWidth(cell, widths[at] ?? 0), widths[at] ?? 0, columns[at]?.align))
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    `  ${line(columns.map(({ title }) => title))}`,
    ...rows.map((row) => `${paintedMark(row)} ${line(row.cells)}`),
  ];
}

/** The width of each column, or undefined when they do not fit even when cut. */
function fitWidths(columns: readonly Column[], rows: readonly Row[], width: number): number[] | undefined {
  const widths = columns.map(({ title }, at) =>
    Math.max(textWidth(title), ...rows.map(({ cells }) => textWidth(cells[at] ?? ''))),
  );
  let over = widths.reduce((sum, each) => sum + each + gap, 0) - width;
  while (over > 0) {
    const widest = columns
      .map(({ flexible }, at) => ({ at, width: flexible ? (widths[at] ?? 0) : 0 }))
      .reduce((most, each) => (each.width > most.width ? each : most), { at: -1, width: shortestCell });
    if (widest.at < 0) return undefined;
    widths[widest.at] = widest.width - 1;
    over--;
  }
  return widths;
}

function toLines(columns: readonly Column[], row: Row): string[] {
  const [head = '', ...rest] = row.cells;
  return [
    `${paintedMark(row)} ${head}`,
    ...rest.map((cell, at) => `  ${(columns[at + 1]?.title ?? '').toLowerCase()}: ${cell}`),
  ];
}

function paintedMark({ mark, paintMark }: Row): string {
  return paintMark === undefined ? mark : paintMark(mark);
}
