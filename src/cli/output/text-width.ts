/** The columns that a text takes in a terminal, and texts cut or padded to a number of columns. */

/** Code points that take two columns: East Asian wide characters and emoji, first and last of each range. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

let combining: RegExp | undefined;

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  // Building it takes a third of a millisecond of a start.
  combining ??= /\p{Mark}/u;
  if (combining.test(character)) return 0;
  return wide.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}

/** The text, or its beginning and an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

export function padToWidth(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? space + text : text + space;
}
