/** Holds the rules of "How we write" in CONTRIBUTING.md that a pattern can hold: for comments and texts in src/, and for the documents. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../support/program.ts';
import { readPage, writtenPages } from './pages.ts';

const begin = '(?:^|[.!?] )';

const rules: readonly (readonly [advice: string, pattern: RegExp])[] = [
  ['name the actor: client, server, caller, person', /\b(?:no|some)body\b|\bwho(?:so)?ever\b|\bwhatever\b/i],
  ['write "is not a"', /(?<!\bthere )\b(?:is|are|was|were) no\b(?! (?:longer|more than|further|later)\b)/i],
  ['begin with the subject, not with "Of"', new RegExp(`${begin}Of `)],
  [
    'begin with the subject, not with "To a …"',
    new RegExp(`${begin}To (?:an?|the|one|those|this|each|every|who|whom) `),
  ],
  ['give "who" a head: "a client that …"', new RegExp(`${begin}Whom?\\b[^?.!]*(?:[.!]|$)`)],
];

/** The changelog tells of the past, and these two pages are written by a program. */
const notOurs = ['CHANGELOG.md', 'docs/conformance.md', 'docs/performance.md'];

/** Comments, and literals of several words, as texts of one line; `…` stands for a value in a template. */
function findTexts(source: string): string[] {
  const scanner = createScanner(false, undefined, source);
  const texts: string[] = [];
  const templates: { text: string; braces: number }[] = [];
  let before = SyntaxKind.Unknown;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    const open = templates.at(-1);
    if (kind === SyntaxKind.SlashToken && !operands.has(before)) kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.CloseBraceToken && open?.braces === 0) kind = scanner.reScanTemplateToken(false);
    const text = source.slice(scanner.getTokenStart(), scanner.getTokenEnd());
    if (kind === SyntaxKind.OpenBraceToken && open !== undefined) open.braces++;
    else if (kind === SyntaxKind.CloseBraceToken && open !== undefined) open.braces--;
    else if (kind === SyntaxKind.TemplateHead) templates.push({ text: text.slice(1, -2), braces: 0 });
    else if (kind === SyntaxKind.TemplateMiddle && open !== undefined) open.text += `…${text.slice(1, -2)}`;
    else if (kind === SyntaxKind.TemplateTail) texts.push(`${templates.pop()?.text}…${text.slice(1, -1)}`);
    else if (kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral)
      texts.push(text.slice(1, -1));
    else if (kind === SyntaxKind.SingleLineCommentTrivia) texts.push(text.slice(2).trim());
    else if (kind === SyntaxKind.MultiLineCommentTrivia)
      texts.push(text.replace(/^\/\*[\s*]*|[\s*]*\*\/$/g, '').replace(/\s*\n\s*\*?\s*/g, ' '));
    if (!trivia.has(kind)) before = kind;
  }
  return texts.filter((text) => text.includes(' '));
}

/** A slash behind one of these divides; behind anything else it begins a regular expression. */
const operands = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
]);

const trivia = new Set([
  SyntaxKind.WhitespaceTrivia,
  SyntaxKind.NewLineTrivia,
  SyntaxKind.SingleLineCommentTrivia,
  SyntaxKind.MultiLineCommentTrivia,
]);

/** Paragraphs, items and cells of a page, without what is set as code. */
function findParagraphs(markdown: string): string[] {
  return markdown
    .replace(/^```[\s\S]*?^```$|<!--[\s\S]*?-->/gm, '')
    .replace(/`[^`\n]*`/g, '…')
    .split(/\n|\|/)
    .map((text) => text.replace(/^[\s#>*-]*(?:\d+\. )?(?:\*\*)?/, '').trim());
}

function findBreaches(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    rules.filter(([, pattern]) => pattern.test(text)).map(([advice]) => `${advice}: ${text.slice(0, 200)}`),
  );
}

const sources = readdirSync(join(repoRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => relative(repoRoot, join(repoRoot, 'src', file)).replaceAll('\\', '/'));

describe('how we write', () => {
  it('is kept by the comments and texts of src/', () => {
    expect(sources.length).toBeGreaterThan(50);
    const breaches = sources.flatMap((file) =>
      findBreaches(findTexts(readFileSync(join(repoRoot, file), 'utf8'))).map((breach) => `${file}: ${breach}`),
    );
    expect(breaches).toEqual([]);
  });

  it('is kept by every page that people write', () => {
    const pages = writtenPages().filter((page) => !notOurs.includes(page));
    const breaches = pages.flatMap((page) =>
      findBreaches(findParagraphs(readPage(page))).map((breach) => `${page}: ${breach}`),
    );
    expect(breaches).toEqual([]);
  });

  it.each([
    ['Asked by nobody.', 1],
    ['This is no JSON.', 1],
    ['There is no folder; it is no longer needed.', 0],
    ['Done. Of two, the first counts.', 1],
    ['To a client that has left.', 1],
    ['To see more, run check.', 0],
    ['Who comes first wins.', 1],
    ['Who is a client? A session.', 0],
  ])('finds in %j as many breaches as there are: %i', (text, count) => {
    expect(findBreaches([text])).toHaveLength(count);
  });

  it('is looked for in comments and literals, and not in code', () => {
    const source = [
      'const nobody = /is no "name"/; // a first comment',
      '/** A second\n * comment. */ const whoever = 1 / 2;',
      'const text = `one $' + "{nobody + 'two words'} and $" + '{`an inner $' + '{1} one`} more`;',
    ].join('\n');
    expect(findTexts(source)).toEqual([
      'a first comment',
      'A second comment.',
      'two words',
      'an inner … one',
      'one … and … more',
    ]);
  });
});
