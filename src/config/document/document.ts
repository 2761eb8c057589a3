/**
 * Parses a text into a tree with positions. Comments, trailing commas and a byte order mark are allowed. Invalid JSON, excessive
 * nesting and duplicate keys are reported.
 */
import { createScanner, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { toPrintable } from '../../base/text/printable.ts';
import { columnOf, lineOf } from './code-frame.ts';
import { keyPlace, type Node, toMembers } from './json-node.ts';
import type { Report } from './report.ts';

/** No configuration is this deep; the parser recurses, so a limit keeps a hostile file from exhausting the stack. */
const deepest = 100;

/** One mistake makes the parser stumble again further on; more than this many is noise. */
const maxSyntaxErrors = 5;

/** All positions are those of the text without its byte order mark. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The root of the tree, or undefined when the text cannot be used; the report then says why. */
export function parseDocument(text: string, report: Report): Node | undefined {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) {
    report.error('WB1403', { path: '', offset: tooDeep, length: 1 }, `nested more than ${deepest} levels deep here`);
    return undefined;
  }
  const failures: ParseError[] = [];
  const root = parseTree(text, failures, { allowTrailingComma: true });
  if (root === undefined || failures.length > 0) {
    reportSyntax(text, failures, report);
    return undefined;
  }
  reportDuplicates(text, root, report);
  return root;
}

function findTooDeep(text: string): number | undefined {
  // Most files do not even open this many objects and lists.
  if (countOpening(text) <= deepest) return undefined;
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const first = text.charAt(scanner.getTokenOffset());
    if (first === '{' || first === '[') depth++;
    else if (first === '}' || first === ']') depth--;
    if (depth > deepest) return scanner.getTokenOffset();
  }
  return undefined;
}

function countOpening(text: string): number {
  return text.split('{').length - 1 + text.split('[').length - 1;
}

function reportSyntax(text: string, failures: readonly ParseError[], report: Report): void {
  if (text.trim() === '') {
    report.error('WB1403', { path: '', offset: 0, length: 0 }, 'the file is empty');
    return;
  }
  const lines = new Set<number>();
  for (const { error, offset, length } of failures) {
    const line = lineOf(text, offset);
    if (lines.has(line) || lines.size >= maxSyntaxErrors) continue;
    lines.add(line);
    const place = { path: '', offset, length };
    report.error('WB1403', place, toSyntaxMessage(printParseErrorCode(error), text.charAt(offset)));
  }
}

function toSyntaxMessage(name: ReturnType<typeof printParseErrorCode>, first: string): string {
  switch (name) {
    case 'CommaExpected':
      return 'a comma is missing before this';
    case 'ColonExpected':
      return 'a colon is missing before this';
    case 'PropertyNameExpected':
      return 'a key in double quotes is expected here';
    case 'ValueExpected':
      return 'a value is missing here';
    case 'CloseBraceExpected':
      return 'a closing } is missing';
    case 'CloseBracketExpected':
      return 'a closing ] is missing';
    case 'EndOfFileExpected':
      return 'the file should end here; this is left over';
    case 'UnexpectedEndOfString':
      return 'the closing quote of this string is missing';
    case 'UnexpectedEndOfComment':
      return 'the end */ of this comment is missing';
    case 'InvalidEscapeCharacter':
      return 'a backslash in this string does not begin an escape; write \\\\ for one backslash, as in Windows paths';
    case 'InvalidCharacter':
      return 'this string has a control character; write it as an escape such as \\t or \\n';
    case 'InvalidUnicode':
      return 'this string has an escape \\u without four hexadecimal digits';
    default:
      return first === "'" ? 'strings and keys must be in double quotes' : 'this is not valid JSON';
  }
}

/** The last of two equal keys would win silently, and people look at the first. */
function reportDuplicates(text: string, root: Node, report: Report): void {
  const visit = (node: Node, path: string) => {
    const seen = new Map<string, Node>();
    for (const member of toMembers(node, path)) {
      const earlier = seen.get(member.key);
      if (earlier !== undefined) {
        const name = toPrintable(member.key, 80);
        report.error(
          'WB1405',
          keyPlace(member),
          `the key "${name}" is given twice, ${bothPlaces(text, earlier, member.keyNode)}`,
          'Remove or rename one of the two.',
        );
      } else seen.set(member.key, member.keyNode);
      visit(member.node, member.path);
    }
    if (node.type === 'array') for (const child of node.children ?? []) visit(child, path);
  };
  visit(root, '');
}

function bothPlaces(text: string, ...keys: readonly [Node, Node]): string {
  const [first, second] = keys.map(({ offset }) => lineOf(text, offset));
  if (first !== second) return `in line ${first} and in line ${second}`;
  return `both times in line ${first}, in columns ${keys.map(({ offset }) => columnOf(text, offset)).join(' and ')}`;
}
