/**
 * Writes what is derived from the sources: the JSON Schema of the configuration, the reference pages, the picture of the layers.
 * `--check` writes nothing and fails when a file is out of date.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

const environmentTitles = {
  exact: 'Everywhere',
  anyCase: 'Everywhere, in upper or lower case',
  prefixes: 'Everything that begins with',
  windows: 'On Windows, in upper or lower case',
};

const generated = await generate();
const stale = Object.entries(generated).filter(([file, text]) => read(file) !== text);
if (process.argv.includes('--check')) {
  for (const [file] of stale) process.stderr.write(`${file} is out of date; run: npm run generate\n`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [file, text] of stale) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  process.stderr.write(`wrote ${file}\n`);
}

async function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'workbench-generate-'));
  try {
    const outfile = join(folder, 'sources.mjs');
    const contents = [
      "export { toJsonSchema } from './src/config/docs/to-json-schema.ts';",
      "export { toReference as toConfigReference } from './src/config/docs/to-reference.ts';",
      "export { toCliReference } from './src/cli/args/help.ts';",
      "export { errorTable } from './src/base/errors/errors.ts';",
      "export { inheritedVariables } from './src/downstream/process/environment.ts';",
    ].join('\n');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      outfile,
      logLevel: 'warning',
    });
    const sources = await import(pathToFileURL(outfile).href);
    return {
      'schema/workbench.schema.json': `${JSON.stringify(sources.toJsonSchema(), null, 2)}\n`,
      'docs/reference/config.md': sources.toConfigReference(),
      'docs/reference/cli.md': sources.toCliReference(),
      'docs/reference/errors.md': errorReference(sources.errorTable),
      'docs/reference/environment.md': environmentReference(sources.inheritedVariables),
      'ARCHITECTURE.md': withSection(
        withSection(read('ARCHITECTURE.md'), 'layers', layerTable()),
        'parts',
        partTables(),
      ),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function errorReference(table) {
  const entries = Object.entries(table)
    .sort()
    .map(
      ([code, { title, meaning, fix, exit }]) =>
        `## ${code}: ${title}\n\n${meaning}\n\n**What to do:** ${fix}\n\nExit code of a command that ends with it: ${exit}.\n`,
    );
  return `# Error codes\n\n<!-- Generated from src/base/errors*.ts by npm run generate. -->\n\nEvery failure the Workbench reports carries one of these codes.\n\n${entries.join('\n')}`;
}

function environmentReference(groups) {
  const sections = Object.entries(groups).map(
    ([name, variables]) =>
      `## ${environmentTitles[name] ?? name}\n\n${[...variables].map((variable) => `\`${variable}\``).join(', ')}\n`,
  );
  return `# Environment of servers\n\n<!-- Generated from src/downstream/process/environment.ts by npm run generate. -->\n\nA server gets these variables of the Workbench's own environment when they are set, and what its configuration declares with \`env\` and \`envFile\`. Beside them \`WORKBENCH_TRAIL\`, by which a Workbench behind this one knows where it stands. Nothing else.\n\n${sections.join('\n')}`;
}

function layerTable() {
  const { layers } = JSON.parse(read('src/layers.json'));
  const rows = Object.entries(layers).map(
    ([layer, { imports, runs, holds }]) =>
      `| \`${layer}\` | ${holds} | ${imports.join(', ') || '–'} | ${runs.join(', ') || '–'} |`,
  );
  return ['| folder | holds | may import | may run |', '|---|---|---|---|', ...rows].join('\n');
}

function partTables() {
  const { layers } = JSON.parse(read('src/layers.json'));
  return Object.entries(layers)
    .filter(([, { parts }]) => parts !== undefined)
    .map(([layer, { parts }]) => {
      const rows = Object.entries(parts).map(
        ([part, { holds, imports }]) =>
          `| \`${toFolder(layer, part)}\` | ${holds} | ${imports.map((each) => (each === '.' ? layer : each)).join(', ') || '–'} |`,
      );
      return [`| \`${layer}\` | holds | may import |`, '|---|---|---|', ...rows].join('\n');
    })
    .join('\n\n');
}

function toFolder(layer, part) {
  return part === '.' ? layer : `${layer}/${part}`;
}

/** The text with what stands between the two markers of a section replaced. */
function withSection(text, name, body) {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md has no section ${name}`);
  return `${text.slice(0, from + begin.length)}\n${body}\n${text.slice(to)}`;
}

function read(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return '';
  }
}
