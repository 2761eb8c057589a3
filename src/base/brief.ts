/** Texts that a person or a model has to read, short whatever somebody put into them. */
import { toPrintable } from './printable.ts';

/** Longer texts are not read. */
export const longestText = 500;
/** Longer than names that anybody gives. */
const longestName = 150;
/** What a list of names may take of a text. */
const longestList = 250;

/** At most 500 characters; the end gives way. */
export function toBrief(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}

/** A name that somebody sent, as a message may repeat it. */
export function quote(name: string): string {
  return `'${toPrintable(name, longestName)}'`;
}

/** As many of the names as there is room for, each whole: a name that is cut is of no use. */
export function quoteAll(names: Iterable<string>, toQuoted = (name: string) => `'${name}'`): string {
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

/** " Did you mean: …?", or nothing when there is nothing near. */
export function didYouMean(near: readonly string[]): string {
  const short = near.filter((name) => name.length <= longestName);
  return short.length === 0 ? '' : ` Did you mean: ${quoteAll(short, String)}?`;
}
