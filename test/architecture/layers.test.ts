import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import layerFile from '../../src/layers.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src');
interface Part {
  readonly imports: readonly string[];
}

interface Layer {
  readonly imports: readonly string[];
  readonly runs: readonly string[];
  readonly parts?: Readonly<Record<string, Part>>;
}

const layers: Record<string, Layer> = layerFile.layers;

/** A folder with more files than this is a list that has to be searched. */
const maxFilesInFolder = 20;

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Types are gone when the program runs: parts of one layer may name each other's. */
  readonly isType: boolean;
}

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(source, file));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(type\s)?[^;]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...found].map((match) => ({
    from: file,
    specifier: (match[2] ?? match[3] ?? match[4]) as string,
    isType: match[1] !== undefined,
  }));
}

/** The layer of a file: its folder, or its own name for a file at the top. */
function layerOf(file: string): string {
  return relative(source, file).split(sep)[0] as string;
}

/** The part of a layer that a file belongs to: its folder inside the layer, `.` for the layer's own. */
function partOf(file: string): string {
  return relative(join(source, layerOf(file)), dirname(file)).replaceAll(sep, '/') || '.';
}

function partViolation({ from, specifier, isType }: Import): string | undefined {
  const { parts } = layers[layerOf(from)] ?? {};
  const target = join(dirname(from), specifier);
  if (isType || parts === undefined || !specifier.startsWith('.') || layerOf(target) !== layerOf(from))
    return undefined;
  const [own, other] = [partOf(from), partOf(target)];
  const where = `${relative(root, from)} imports ${specifier}`;
  if (parts[own] === undefined) return `${where}: the part ${own} is not in src/layers.json`;
  return own === other || parts[own].imports.includes(other) ? undefined : `${where}: not in "imports" of part ${own}`;
}

/** The parts that can be reached from themselves, by what their layer allows. */
function partsInCycles(parts: Readonly<Record<string, Part>>): string[] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (parts[from]?.imports ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return Object.keys(parts).filter((part) => reaches(part, part));
}

/** The files that cannot be put in an order in which each comes before what it imports. */
function filesInCycles(targets: ReadonlyMap<string, readonly string[]>): string[] {
  let left = [...targets.keys()];
  for (;;) {
    const remaining = new Set(left);
    const next = left.filter((file) => targets.get(file)?.some((target) => remaining.has(target)));
    if (next.length === left.length) return left;
    left = next;
  }
}

function violations({ from, specifier }: Import): string | undefined {
  const layer = layerOf(from);
  const rule = layers[layer];
  const where = `${relative(root, from)} imports ${specifier}`;
  if (rule === undefined)
    return layer.endsWith('.ts') ? undefined : `${where}: the folder ${layer} is not in src/layers.json`;
  if (!specifier.startsWith('.'))
    return rule.runs.includes(specifier) ? undefined : `${where}: not in "runs" of ${layer}`;
  const target = layerOf(join(dirname(from), specifier));
  return target === layer || rule.imports.includes(target) ? undefined : `${where}: not in "imports" of ${layer}`;
}

/** Whether something is imported that opens files by a path, or makes them. */
function opensFiles(text: string): boolean {
  const imports = [...text.matchAll(/import\s+(?!type)([^;]*?)\s+from\s+'node:fs(?:\/promises)?'/g)];
  const opener =
    /\b(open|readFile|writeFile|appendFile|copyFile|cp|truncate)(Sync)?\b|Stream\b|\bmkd|\bpromises\b|\* as/;
  return imports.some(([, names = '']) => opener.test(names));
}

describe('the layers of src/', () => {
  it('import only in the direction that src/layers.json allows', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(importsOf).flatMap((each) => violations(each) ?? [])).toEqual([]);
  });

  it('finds a forbidden import when there is one', () => {
    expect(violations({ from: join(source, 'base/x.ts'), specifier: '../front/front.ts', isType: true })).toContain(
      'not in "imports" of base',
    );
    expect(violations({ from: join(source, 'serve/x.ts'), specifier: 'node:child_process', isType: false })).toContain(
      'not in "runs" of serve',
    );
    expect(
      violations({ from: join(source, 'cli/x.ts'), specifier: '../workbench/workbench.ts', isType: false }),
    ).toContain('not in "imports" of cli');
  });

  it('have parts that import only in the direction that src/layers.json allows, and never in a circle', () => {
    expect(
      sourceFiles()
        .flatMap(importsOf)
        .flatMap((each) => partViolation(each) ?? []),
    ).toEqual([]);
    for (const { parts = {} } of Object.values(layers)) expect(partsInCycles(parts)).toEqual([]);
    expect(partsInCycles({ a: { imports: ['b'] }, b: { imports: ['c'] }, c: { imports: ['b'] } })).toEqual(['b', 'c']);
    const upward = { from: join(source, 'downstream/rpc/x.ts'), specifier: '../link/link.ts' };
    expect(partViolation({ ...upward, isType: false })).toContain('not in "imports" of part rpc');
    expect(partViolation({ ...upward, isType: true })).toBeUndefined();
  });

  it('have parts for all their folders and no others', () => {
    for (const [layer, { parts }] of Object.entries(layers)) {
      const found = [
        ...new Set(
          sourceFiles()
            .filter((file) => layerOf(file) === layer)
            .map(partOf),
        ),
      ];
      expect(Object.keys(parts ?? { '.': {} }).sort(), layer).toEqual(found.sort());
    }
  });

  it('have no file that imports itself by way of others, types included', () => {
    const files = sourceFiles();
    const targets = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => join(dirname(file), specifier)),
      ]),
    );
    expect(filesInCycles(targets).map((file) => relative(root, file))).toEqual([]);
    expect(filesInCycles(new Map([...'abc'].map((name, index) => [name, ['bca'[index] as string]])))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('have no folder that is a long list', () => {
    const counts = new Map<string, number>();
    for (const file of sourceFiles()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const long = [...counts].filter(([, count]) => count > maxFilesInFolder);
    expect(long.map(([folder]) => relative(root, folder))).toEqual([]);
  });

  it('open files in one way: what is kept between runs goes through src/state', () => {
    const exempt = [
      'boot/compiled-code.ts', // the program itself
      'search/words/table-file.ts', // the word tables of the program
      'downstream/running/process-facts.ts', // what the system tells of processes
      'config/file/find-trail.ts', // the same, of the processes above this one
      'cli/record/logs.ts', // the file that --log-file names
      'cli/call/call-arguments.ts', // the files that arguments name
      'cli/call/binary-content.ts', // new files in the folder that --save names
    ].map((file) => join(source, file));
    const opening = sourceFiles().filter((file) => layerOf(file) !== 'state' && opensFiles(readFileSync(file, 'utf8')));
    expect(opening.filter((file) => !exempt.includes(file)).map((file) => relative(root, file))).toEqual([]);
    expect(exempt.filter((file) => !opening.includes(file))).toEqual([]);
    expect(opensFiles("import { existsSync, readFileSync as read } from 'node:fs';")).toBe(true);
    expect(opensFiles("import * as fs from 'node:fs';")).toBe(true);
  });

  it('have no file that is more than one thought can fill', () => {
    const long = sourceFiles().filter((file) => readFileSync(file, 'utf8').split('\n').length > 300);
    expect(long.map((file) => relative(root, file))).toEqual([]);
  });

  it('name protocol versions only in the four edges, and where the command line is a client itself', () => {
    const edges = [
      'serve/legacy/legacy.ts',
      'serve/modern/modern.ts',
      'downstream/era/legacy.ts',
      'downstream/era/modern.ts',
    ];
    const allowed = [...edges, 'cli/call/mcp-peer.ts', 'cli/commands/demo.ts'].map((file) => join(source, file));
    const knowing = sourceFiles().filter((file) => /'20\d\d-\d\d-\d\d'/.test(readFileSync(file, 'utf8')));
    expect(knowing.filter((file) => !allowed.includes(file)).map((file) => relative(root, file))).toEqual([]);
  });
});
