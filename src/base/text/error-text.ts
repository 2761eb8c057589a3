/** Keeps texts for people and models short, however long the names are that a client or server put into them. */
import { toPrintable } from './printable.ts';

/** People and models do not read longer texts. */
export const maxTextLength = 500;
/** Longer than any real name. */
const maxNameLength = 150;
/** How much of a text a list of names may take. */
const longestList = 250;

/** At most 500 characters; the end is cut. */
export function truncate(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text;
}

/** A name that came from outside, as a message may repeat it. */
export function quote(name: string): string {
  return `'${toPrintable(name, maxNameLength)}'`;
}

/** As many of the names as fit, each in full: a cut name is useless. */
export function quoteList(names: Iterable<string>, toQuoted = (name: string) => `'${name}'`): string {
  const all = [...names];
  const shown: string[] = [];
  let room = longestList;
  for (const name of all) {
    const quoted = toQuoted(name);
    if (quoted.length > room) continue;
    room -= quoted.length + 2;
    shown.push(quoted);
  }
  const more = all.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : `${shown.length === 0 ? '' : ' and '}${more} more`}`;
}

/** " Did you mean: …?", or an empty text when no name is near. */
export function didYouMean(near: readonly string[]): string {
  const short = near.filter((name) => name.length <= maxNameLength);
  return short.length === 0 ? '' : ` Did you mean: ${quoteList(short, String)}?`;
}
