/**
 * Picks from stderr the lines that say why a program ended. The last lines are often not among them:
 * Node.js ends with a stack and its version, npm with the place of its log, Docker with a pointer to its help.
 */
import { toPrintable } from '../../base/text/printable.ts';

const maxWordsLength = 260;
const maxLines = 3;
const separator = ' | ';

/** One line of text; empty when the program said nothing. */
export function toLastWords(stderr: readonly string[]): string {
  const words: string[] = [];
  let room = maxWordsLength;
  // The last line gets room first.
  for (const line of pickCause(toTelling(stderr)).reverse()) {
    if (room < 20) break;
    const shown = toPrintable(line.trim(), room);
    words.unshift(shown);
    room -= shown.length + separator.length;
  }
  return words.join(separator);
}

/** Words by which programs report an error. Each is a plain alternative, so that matching stays linear. */
const tellsError =
  /\b(?:error|exception|fatal|panic(?:ked)?|failed|failure|failing|cannot|can't|could not|couldn't|unable|not found|not provided|no such|no module|no solution|not a valid|denied|refused|forbidden|unauthorized|missing|required?s?|must be|invalid|unknown|unrecognized|unexpected|unsupported|not installed|not set|undefined|timed out|closed by|expired|does not exist|already in use)\b|\b\w{1,60}(?:Error|Exception)\b/i;

function pickCause(lines: readonly string[]): string[] {
  const at = lines.flatMap((line, index) => (tellsError.test(line.slice(0, 1_000)) ? [index] : []));
  const last = at.at(-1);
  if (last === undefined) return lines.slice(-maxLines);
  const picked = at.slice(-maxLines);
  // The next line may explain it.
  if (picked.length < maxLines && last + 1 < lines.length) picked.push(last + 1);
  return picked.map((index) => lines[index] ?? '');
}

/** Lines that do not help a reader. */
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

/** The lines without stacks and excerpts of source. */
export function toTelling(stderr: readonly string[]): string[] {
  return stderr.filter((line, index) => line.trim() !== '' && !isNoise(line) && !isExcerpt(stderr, index));
}

function isNoise(line: string): boolean {
  const beginning = line.slice(0, 1_000);
  return noise.some((pattern) => pattern.test(beginning));
}

const marks = /^\s*[\^~]+\s*$/;

/** A line of source that the next line points into, or the line before it that names its place. */
function isExcerpt(lines: readonly string[], index: number): boolean {
  if (marks.test(lines[index + 1] ?? '')) return true;
  return marks.test(lines[index + 2] ?? '') && /:\d+$/.test(lines[index] ?? '');
}
