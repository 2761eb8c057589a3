/** Texts of servers as part of one of our lines: a single line, without what could pass for another one. */
import { toPrintable } from '../../base/text/printable.ts';

/** Text behind this many characters is not looked at. */
const maxRead = 4_000;

/** One line, without emphasis and headings of Markdown, cut at a word. */
export function toTextLine(text: string, most: number): string {
  const plain = toPrintable(text.slice(0, maxRead), maxRead)
    .replace(/[*`#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return cutAtWord(plain, most);
}

/** The first sentence, cut at a word. */
export function firstSentenceOf(text: string, most: number): string {
  const line = toTextLine(text, maxRead);
  const end = line.search(/[.!?](?: |$)/);
  return cutAtWord(end < 0 ? line : line.slice(0, end), most);
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > most / 2 ? head.slice(0, space) : head).replace(/[\s,;:(-]+$/, '').replace(/[\uD800-\uDBFF]$/, '')}…`;
}
