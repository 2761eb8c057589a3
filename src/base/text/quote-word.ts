/**
 * Quotes one word of a command line for the shells of a platform, with any characters in it: names may be crafted to do harm.
 */
import { replaceHidden } from './hidden.ts';

/** Undefined when no spelling is safe: then the word must be left out. */
export function quoteWord(word: string, platform: NodeJS.Platform): string | undefined {
  return platform === 'win32' ? quoteForWindows(word) : quoteForPosix(word);
}

const plainOnPosix = /^[A-Za-z0-9_@%+=:,./-]+$/;

function quoteForPosix(word: string): string {
  if (plainOnPosix.test(word)) return word;
  if (replaceHidden(word, () => '') === word) return `'${word.replaceAll("'", "'\\''")}'`;
  // Invisible characters are written as codes. A shell that does not know this form takes it as harmless text.
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
/** Between double quotes PowerShell interprets the first three and typographic quotes, cmd.exe interprets per cent signs. */
const activeInQuotes = /["$`%\u201c-\u201e]/;

/** A spelling that both PowerShell and cmd.exe accept: the word may be pasted into either. */
function quoteForWindows(word: string): string | undefined {
  if (plainOnWindows.test(word)) return word;
  if (activeInQuotes.test(word) || replaceHidden(word, () => '') !== word) return undefined;
  // A backslash before the closing quote would escape it.
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}
