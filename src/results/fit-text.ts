/** How much of a text fits into a number of tokens. */
import { estimateTokens } from '../base/text/token-estimate.ts';
import { alignBack } from './held-text.ts';

/** Texts have 1.2 to 5 characters in a token; more than this is not tried. */
const maxCharacters = 6;
/** The first and the last cut may be off by this share of a text before they look for a line break. */
const wholeLines = 0.5;

/** The end of the longest beginning of `text[from, to)` that fits, at a line break where there is one in its second half. */
export function fitHead(text: string, from: number, to: number, maxTokens: number): number {
  const length = fitLength(to - from, maxTokens, (size) => text.slice(from, from + size));
  if (from + length >= to) return to;
  const end = atLeastOne(text, from, alignBack(text, from + length), to);
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1;
  return lineEnd > from + length * wholeLines ? lineEnd : end;
}

/** The start of the longest end that fits, at a line break where there is one in its first half. */
export function fitTail(text: string, from: number, to: number, maxTokens: number): number {
  const length = fitLength(to - from, maxTokens, (size) => text.slice(to - size, to));
  if (length >= to - from) return from;
  const start = alignBack(text, to - length);
  const lineStart = text.indexOf('\n', start) + 1;
  return lineStart > 0 && lineStart < to - length * wholeLines ? lineStart : start;
}

function fitLength(length: number, maxTokens: number, sliceOf: (size: number) => string): number {
  let size = Math.min(length, Math.max(1, maxTokens) * maxCharacters);
  for (;;) {
    const tokens = estimateTokens(sliceOf(size));
    if (tokens <= maxTokens || size <= 1) return size;
    size = Math.max(1, Math.min(size - 1, Math.floor(size * (maxTokens / tokens) * 0.99)));
  }
}

/** A page is never empty, so that reading page after page comes to an end. */
function atLeastOne(text: string, from: number, end: number, to: number): number {
  if (end > from) return end;
  const isPair = alignBack(text, from + 1) === from;
  return Math.min(to, from + (isPair ? 2 : 1));
}
