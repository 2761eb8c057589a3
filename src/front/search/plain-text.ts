/** Texts of servers as part of one of our lines: a single line, without what could pass for another one. */
import { toPrintable } from '../../base/text/printable.ts';

/** White space and marks take room, so this much more is read than is shown. */
const readPerShown = 4;
/** A first sentence that is longer is cut in any case. */
const maxSentence = 600;

/** One line, without the marks of Markdown, cut at a word. */
export function toTextLine(text: string, most: number): string {
  return cutAtWord(toPlain(text.slice(0, most * readPerShown)), most);
}

/** The first sentence, or the line before a list or a heading, cut at a word. */
export function firstSentenceOf(text: string, most: number): string {
  const start = text.slice(0, maxSentence).trimStart();
  const [paragraph = ''] = start.split(/\n\s*\n|\n(?=\s*[\p{Lu}\d*\u2022#-])/u, 1);
  const head = toPlain(paragraph);
  // "Purpose:" is a heading.
  const line = head.endsWith(':') ? toPlain(start) : head;
  // Neither "1." nor "e.g." ends a sentence.
  const end = line.search(/(?<=[\p{L}\p{N})"']{2})[.!?](?: |$)/u);
  return cutAtWord(end < 0 ? line : line.slice(0, end), most);
}

function toPlain(text: string): string {
  const linked = text.replace(/\[([^[\]]{1,100})\]\([^()\s]{1,300}\)/g, '$1');
  return toPrintable(linked, linked.length)
    .replace(/[*`#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > most / 2 ? head.slice(0, space) : head).replace(/[\s,;:(-]+$/, '').replace(/[\uD800-\uDBFF]$/, '')}…`;
}
