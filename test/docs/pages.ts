/** The documents as a test reads them: their marked examples, their links, the paths they name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../support/program.ts';

export interface Example {
  /** From `<!-- test: name -->`, which stands on the line before it. */
  readonly name: string;
  /** Of the fence; `table` for a table. */
  readonly language: string;
  readonly text: string;
}

export function readPage(path: string): string {
  return readFileSync(join(repoRoot, path), 'utf8');
}

/** Every page that people write; the reference pages are generated. */
export function writtenPages(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(repoRoot, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => (folder === '' ? name : `${folder}/${name}`));
  return ['', 'docs', 'docs/decisions'].flatMap(inFolder);
}

export function findExamples(markdown: string): Example[] {
  const fences = markdown.matchAll(/^<!-- test: (.+) -->\n```(\w+)\n([\s\S]*?)^```$/gm);
  const tables = markdown.matchAll(/^<!-- test: (.+) -->\n((?:\|.*\n)+)/gm);
  return [
    ...[...fences].map(([, name = '', language = '', text = '']) => ({ name, language, text })),
    ...[...tables].map(([, name = '', text = '']) => ({ name, language: 'table', text })),
  ];
}

export function getExample(examples: readonly Example[], name: string): Example {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example is marked <!-- test: ${name} -->`);
  return example;
}

/** First lines of the fences in one of these languages that no marker stands before. */
export function findUnmarked(markdown: string, languages: readonly string[]): string[] {
  const fences = markdown.matchAll(/^(.*)\n```(\w*)\n([\s\S]*?)^```$/gm);
  return [...fences]
    .filter(([, before = '', language = '']) => languages.includes(language) && !before.startsWith('<!-- test: '))
    .map(([, , , text = '']) => text.split('\n', 1)[0] ?? '');
}

/** Targets of links that stay inside the project, as paths from the page's folder. */
export function findLinks(markdown: string): string[] {
  const links = withoutFences(markdown).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/i.test(target));
}

/** What is set as code and begins with a folder of the project. */
export function findPaths(markdown: string): string[] {
  const code = withoutFences(markdown).matchAll(/`((?:src|test|scripts|demo|docs|schema|bench|\.ci)\/[^`\s]*)`/g);
  return [...code].map(([, path = '']) => path);
}

/** The text under a heading, up to the next one of its level. */
export function getSection(markdown: string, heading: string): string {
  const from = markdown.indexOf(`\n## ${heading}\n`);
  if (from < 0) throw new Error(`no heading "${heading}"`);
  const to = markdown.indexOf('\n## ', from + 1);
  return markdown.slice(from, to < 0 ? undefined : to);
}

export function exists(path: string): boolean {
  return existsSync(join(repoRoot, path));
}

/** The anchors of a page, as its headings give them. */
export function findAnchors(markdown: string): string[] {
  const headings = withoutFences(markdown).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, '');
}
