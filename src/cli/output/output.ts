/** Where a command writes: results to stdout, everything else to stderr. */
import { toPrintable } from '../../index.ts';
import type { Args } from '../args/args.ts';
import type { Io } from '../run/io.ts';
import { createPaint, type Paint, wantsColour } from './colour.ts';

export interface Output {
  /** Colours of stdout. */
  readonly paint: Paint;
  /** Columns to fill; unlimited where the output is not a terminal. */
  readonly width: number;
  /** One line of the result. */
  line(text?: string): void;
  /** A text of the result as it is, followed by a line break. */
  text(text: string): void;
  json(value: unknown): void;
  /** A line for a person on stderr; with `--json` a JSON line like all others there; nothing with `--quiet`. */
  note(text: string): void;
}

const defaultWidth = 80;

export function createOutput(io: Io, args: Args): Output {
  const { tty, env } = io;
  const put = (text: string) => io.stdout.write(`${text}\n`);
  return {
    paint: createPaint(wantsColour({ isTTY: tty.stdout, env, refused: args.has('no-color') })),
    width: tty.stdout ? (io.columns ?? defaultWidth) : Number.POSITIVE_INFINITY,
    line: (text = '') => put(text),
    text: (text) => put(tty.stdout ? toPrintableLines(text) : text),
    json: (value) => put(toJsonText(value)),
    note: (text) => {
      if (!args.has('quiet')) io.stderr.write(`${args.has('json') ? toJsonText({ note: text }, 0) : text}\n`);
    },
  };
}

const maxLineLength = 1_000_000;

/** Safe for a terminal, with line breaks and tabs kept. */
export function toPrintableLines(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .split('\t')
        .map((piece) => toPrintable(piece, maxLineLength))
        .join('\t'),
    )
    .join('\n');
}

/** JSON that no terminal can misread: control and direction characters that JSON leaves unescaped are escaped too. */
export function toJsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,
    (found) => found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
