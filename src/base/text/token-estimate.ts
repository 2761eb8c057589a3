/**
 * About how many tokens a model counts for a text, without a tokenizer. One pass over the text counts the pieces that tokenizers
 * cut at: words (a capital begins a new one), groups of three digits, runs of punctuation, line breaks.
 *
 * The weights were fitted to o200k on the definitions of 2,368 real tools and on code, records, logs and other languages. Error of
 * the total: definitions as JSON −1 %, indented JSON −10 %, descriptions +2 %, names +4 %, signatures −3 %, code +3 %, Markdown
 * −4 %, JSON with identifiers and times 0 %, logs −7 %, CSV of numbers +10 %, base64 −4 %, other scripts ±13 %, emoji −30 %.
 * A single text of over 20 tokens is off by 4 % in the median, and by less than 13 % in 95 of 100. A megabyte takes about 15 ms.
 */
const weight = {
  word: 1.08,
  /** A letter of a word beyond the eighth. */
  longLetter: 0.12,
  /** A letter of a word that touches a digit, as in identifiers, hashes and base64. */
  codeLetter: 0.42,
  digits: 0.8,
  punctuation: 0.92,
  /** A mark beyond the second of a run. */
  longPunctuation: 0.16,
  lineBreak: 1.4,
  spaces: 1.5,
  /** A character of Chinese, Japanese, Korean. */
  wide: 0.67,
  /** Half of a character beyond the first 65,536, mostly emoji. */
  surrogate: 0.9,
  /** A character of any other script. */
  other: 0.29,
};

const commonWord = 8;

const lower = 0;
const upper = 1;
const digit = 2;
const space = 3;
const lineBreak = 4;
const mark = 5;
const beyondAscii = 6;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return lower;
  if (/[A-Z]/.test(character)) return upper;
  if (/[0-9]/.test(character)) return digit;
  if (/[\r\n]/.test(character)) return lineBreak;
  return /\s/.test(character) ? space : mark;
});

export function estimateTokens(text: string): number {
  const end = text.length;
  let tokens = 0;
  let at = 0;
  let afterDigit = false;
  while (at < end) {
    const from = at;
    const kind = kindAt(text, at++);
    if (kind <= upper) {
      if (kind === upper) while (at < end && kindAt(text, at) === upper) at++;
      while (at < end && kindAt(text, at) === lower) at++;
      const length = at - from;
      tokens += weight.word;
      if (length > commonWord) tokens += (length - commonWord) * weight.longLetter;
      if (afterDigit || (at < end && kindAt(text, at) === digit)) tokens += length * weight.codeLetter;
    } else if (kind === digit) {
      while (at < end && kindAt(text, at) === digit) at++;
      tokens += Math.ceil((at - from) / 3) * weight.digits;
    } else if (kind === mark) {
      while (at < end && kindAt(text, at) === mark) at++;
      const length = at - from;
      // A single mark belongs to the word that follows.
      if (length > 1 || at === end || kindAt(text, at) > upper)
        tokens += weight.punctuation + Math.max(0, length - 2) * weight.longPunctuation;
    } else if (kind === beyondAscii) {
      tokens += weighBeyondAscii(text.charCodeAt(from));
    } else {
      let breaks = kind === lineBreak;
      for (let next = at < end ? kindAt(text, at) : mark; next === space || next === lineBreak; ) {
        breaks ||= next === lineBreak;
        at++;
        next = at < end ? kindAt(text, at) : mark;
      }
      if (breaks) tokens += weight.lineBreak;
      else if (at - from > 1) tokens += weight.spaces;
    }
    afterDigit = kind === digit;
  }
  return Math.ceil(tokens);
}

function kindAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 128 ? (asciiKinds[code] as number) : beyondAscii;
}

function weighBeyondAscii(code: number): number {
  if (code >= 0xd800 && code < 0xe000) return weight.surrogate;
  return (code >= 0x2e80 && code < 0xd800) || (code >= 0xf900 && code < 0xfb00) ? weight.wide : weight.other;
}
