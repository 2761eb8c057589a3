/** Wraps a text into lines of a maximum width, between words; a longer word gets its own line. */
import { textWidth } from './text-width.ts';

export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const size = textWidth(word);
    if (line !== '' && used + 1 + size > width) {
      lines.push(line);
      line = word;
      used = size;
    } else {
      used += (line === '' ? 0 : 1) + size;
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Each line of a text, wrapped, with the same indent. */
export function wrapIndented(text: string, indent: string, width: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => wrapText(line, width - textWidth(indent)).map((part) => (indent + part).trimEnd()));
}
