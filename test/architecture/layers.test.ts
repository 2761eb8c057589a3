import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import layerFile from '../../src/layers.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src');
const layers: Record<string, { imports: string[]; runs: string[] }> = layerFile.layers;

interface Import {
  readonly from: string;
  readonly specifier: string;
}

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(source, file));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...found].map((match) => ({ from: file, specifier: (match[1] ?? match[2] ?? match[3]) as string }));
}

/** The layer of a file: its folder, or its own name for a file at the top. */
function layerOf(file: string): string {
  return relative(source, file).split(sep)[0] as string;
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
    expect(violations({ from: join(source, 'base/x.ts'), specifier: '../front/front.ts' })).toContain(
      'not in "imports" of base',
    );
    expect(violations({ from: join(source, 'serve/x.ts'), specifier: 'node:child_process' })).toContain(
      'not in "runs" of serve',
    );
    expect(violations({ from: join(source, 'cli/x.ts'), specifier: '../workbench/workbench.ts' })).toContain(
      'not in "imports" of cli',
    );
  });

  it('open files in one way: what is kept between runs goes through src/state', () => {
    const exempt = [
      'boot/compiled-code.ts', // the program itself
      'downstream/running/process-facts.ts', // what the system tells of processes
      'config/trail.ts', // the same, of the processes above this one
      'cli/logs.ts', // the file that --log-file names
      'cli/call-arguments.ts', // the files that arguments name
      'cli/binary-content.ts', // new files in the folder that --save names
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
    const edges = ['serve/legacy.ts', 'serve/modern.ts', 'downstream/legacy.ts', 'downstream/modern.ts'];
    const allowed = [...edges, 'cli/mcp-peer.ts', 'cli/commands/demo.ts'].map((file) => join(source, file));
    const knowing = sourceFiles().filter((file) => /'20\d\d-\d\d-\d\d'/.test(readFileSync(file, 'utf8')));
    expect(knowing.filter((file) => !allowed.includes(file)).map((file) => relative(root, file))).toEqual([]);
  });
});
