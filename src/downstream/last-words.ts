/**
 * Why a program ended, picked from what it wrote on stderr: the lines that say an error. The last lines are often not among them:
 * Node.js ends with a stack and its version, npm with the place of its log, Docker with a pointer to its help.
 */
import { toPrintable } from '../base/printable.ts';

const longestWords = 260;
const mostLines = 3;
const separator = ' | ';

/** In one line; empty when it said nothing. */
export function toLastWords(stderr: readonly string[]): string {
  const words: string[] = [];
  let room = longestWords;
  // What comes last has the first claim to the room.
  for (const line of pickCause(toTelling(stderr)).reverse()) {
    if (room < 20) break;
    const shown = toPrintable(line.trim(), room);
    words.unshift(shown);
    room -= shown.length + separator.length;
  }
  return words.join(separator);
}

/** Words of programs for "this is why". Each is a plain alternative, so that matching stays linear. */
const tellsError =
  /\b(?:error|exception|fatal|panic(?:ked)?|failed|failure|failing|cannot|can't|could not|couldn't|unable|not found|not provided|no such|no module|no solution|not a valid|denied|refused|forbidden|unauthorized|missing|required?s?|must be|invalid|unknown|unrecognized|unexpected|unsupported|not installed|not set|undefined|timed out|closed by|expired|does not exist|already in use)\b|\b\w{1,60}(?:Error|Exception)\b/i;

function pickCause(lines: readonly string[]): string[] {
  const at = lines.flatMap((line, index) => (tellsError.test(line.slice(0, 1_000)) ? [index] : []));
  const last = at.at(-1);
  if (last === undefined) return lines.slice(-mostLines);
  const picked = at.slice(-mostLines);
  // What follows may explain it.
  if (picked.length < mostLines && last + 1 < lines.length) picked.push(last + 1);
  return picked.map((index) => lines[index] ?? '');
}

/** What no reader looks for. */
const noise = [
  /^\s+at /, // a stack of JavaScript
  /^\s*(?:node:internal\/\S+:\d+|Node\.js v[\d.]+|Require stack:|throw .*|[{}\])]+;?|[\^~]+)\s*$/,
  /^\s*(?:code|requireStack|errno|syscall|path|url|spawnargs|generatedMessage|operator|actual|expected): .*,?\s*$/,
  /^\s*- (?:\/|[A-Za-z]:\\|node:|internal)/,
  /^Traceback \(most recent call last\):|^\s+File "|^During handling of the above|^The above exception was/,
  /^npm (?:warn|notice|info|http)\b/i,
  /^npm (?:error|ERR!)(?: \S+)?\s*$/,
  /^npm (?:error|ERR!) (?:(?:syscall|path|errno|dest|cwd) |.*Note that you can also|.*tarball, folder, http url|.*This is related to npm|.*A complete log of this run)/i,
  /^(?:See 'docker|Run 'docker|Usage: {2}docker)/,
  /^Pseudo-terminal will not be allocated/,
  /^Warning: Permanently added /,
  /^\(Use `node --trace-/,
];

/** Without stacks, excerpts of source and other trimmings. */
export function toTelling(stderr: readonly string[]): string[] {
  return stderr.filter((line, index) => line.trim() !== '' && !isNoise(line) && !isExcerpt(stderr, index));
}

function isNoise(line: string): boolean {
  const beginning = line.slice(0, 1_000);
  return noise.some((pattern) => pattern.test(beginning));
}

const marks = /^\s*[\^~]+\s*$/;

/** A line of source that the next one points into, and the place of it before. */
function isExcerpt(lines: readonly string[], index: number): boolean {
  if (marks.test(lines[index + 1] ?? '')) return true;
  return marks.test(lines[index + 2] ?? '') && /:\d+$/.test(lines[index] ?? '');
}
