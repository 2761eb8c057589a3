import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../src');

/** Names that two files may export. */
const allowed: Readonly<Record<string, string>> = {
  createLegacyEdge: 'the edge towards a client and the edge towards a server; a file imports one of them',
  createModernEdge: 'the same for the other era',
  attach: 'a command is exported under the name that a person types',
  list: 'a command is exported under the name that a person types',
};

/** Names that a file declares and exports. By text: the formatter keeps declarations at the beginning of a line. */
function findExports(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm,
  );
  return [...declared].map(([, name = '']) => name);
}

/** The files of each name that more than one file exports. */
function findTwins(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const owners = new Map<string, Set<string>>();
  for (const [file, text] of files)
    for (const name of findExports(text)) owners.set(name, (owners.get(name) ?? new Set()).add(file));
  return new Map([...owners].filter(([, of]) => of.size > 1).map(([name, of]) => [name, [...of].sort()]));
}

describe('an exported name of src/', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const twins = findTwins(new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')])));

  it('has one meaning: no other file exports the same name', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(Object.fromEntries([...twins].filter(([name]) => !Object.hasOwn(allowed, name)))).toEqual({});
  });

  it('is allowed to have two only where it does', () => {
    expect(Object.keys(allowed).filter((name) => !twins.has(name))).toEqual([]);
  });

  it('is found in every kind of declaration, and not in what is only passed on', () => {
    const text = [
      'export interface A {}',
      'export type B = A;',
      'export const c = 1;',
      'export async function d() {}',
      'export abstract class E {}',
      "export { f } from './f.ts';",
      '  export const g = 1;',
    ].join('\n');
    expect(findExports(text)).toEqual(['A', 'B', 'c', 'd', 'E']);
    expect(
      findTwins(
        new Map([
          ['x.ts', text],
          ['y.ts', 'export class B {}'],
        ]),
      ),
    ).toEqual(new Map([['B', ['x.ts', 'y.ts']]]));
  });
});
