/**
 * Texts to words. A name such as `createPullRequest`, `list-issues` or `OAuth2` is several words; brands such as GitHub and words
 * such as to-do are one word as well, the joined form. Texts come from servers and may hold anything: hidden characters are
 * skipped, accents removed, and scripts without spaces are cut into pairs of letters.
 */

/** Longer runs are not words; they are cut. */
const maxTokenLength = 64;
/** A joined form of more parts is not a brand. */
const maxJoinedParts = 3;
const minJoinedLength = 4;

export interface SplitToken {
  readonly parts: readonly string[];
  /** The parts as one word, where a reader may write them so. */
  readonly joined: string | undefined;
}

const ascii = /^[\0-\x7f]*$/;
const hidden = /\p{Cf}/gu;
const marks = /\p{M}+/gu;
const asciiToken = /[a-zA-Z0-9_'-]+/g;
const unicodeToken = /[\p{L}\p{N}\p{M}]+(?:[_'\u2019-][\p{L}\p{N}\p{M}]+)*/gu;
/** Scripts that do not put spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Calls `take` for each run of letters, digits and joining characters. Ends early when `take` returns false. */
export function forEachToken(text: string, take: (token: string) => boolean): void {
  if (!ascii.test(text)) {
    const folded = text.replace(hidden, '').normalize('NFKD').replace(marks, '');
    for (const [token] of folded.matchAll(unicodeToken)) if (!take(token.slice(0, maxTokenLength))) return;
    return;
  }
  for (const token of text.match(asciiToken) ?? [])
    if (!take(token.length > maxTokenLength ? token.slice(0, maxTokenLength) : token)) return;
}

const boundaries =
  /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** The words of one token, in lower case. */
export function splitToken(token: string): SplitToken {
  const written = token.replace(/['\u2019]/g, '');
  if (unspaced.test(written)) return { parts: toPairs(written), joined: undefined };
  const parts = written
    .split(boundaries)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
  const joined = parts.join('');
  const isJoined = parts.length > 1 && parts.length <= maxJoinedParts && joined.length >= minJoinedLength;
  return { parts, joined: isJoined || (parts.length === 2 && /\d/.test(joined)) ? joined : undefined };
}

function toPairs(text: string): string[] {
  const letters = [...text.toLowerCase()];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}
