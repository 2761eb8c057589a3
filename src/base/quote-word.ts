/** One word of a command line as the shells of a platform take it, whatever stands in it: names may be meant to do harm. */
import { replaceHidden } from './hidden.ts';

/** Undefined where no spelling is safe: then the word has to be left out. */
export function quoteWord(word: string, platform: NodeJS.Platform): string | undefined {
  return platform === 'win32' ? quoteForWindows(word) : quoteForPosix(word);
}

const plainOnPosix = /^[A-Za-z0-9_@%+=:,./-]+$/;

function quoteForPosix(word: string): string {
  if (plainOnPosix.test(word)) return word;
  if (replaceHidden(word, () => '') === word) return `'${word.replaceAll("'", "'\\''")}'`;
  // What cannot be seen is written as codes. A shell that does not know this form takes it as a text that means nothing.
  const coded = replaceHidden(word.replace(/['\\]/g, toCode), (found) =>
    [...Buffer.from(found)].map(byteCode).join(''),
  );
  return `$'${coded}'`;
}

function toCode(char: string): string {
  return byteCode(char.charCodeAt(0));
}

function byteCode(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

const plainOnWindows = /^[A-Za-z0-9_+=:./\\-]+$/;
/** Between double quotes PowerShell looks for the first three and typographic quotes, cmd.exe for per cent signs. */
const activeInQuotes = /["$`%\u201c-\u201e]/;

/** What both PowerShell and cmd.exe take: nobody knows into which of them it is pasted. */
function quoteForWindows(word: string): string | undefined {
  if (plainOnWindows.test(word)) return word;
  if (activeInQuotes.test(word) || replaceHidden(word, () => '') !== word) return undefined;
  // A backslash before the closing quote would keep it from closing.
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}
