/**
 * `npm run recall`: scores the ranking of the search on labelled queries, beside plain BM25 on the same queries.
 *   --write    writes test/recall/figures.json and docs/discovery.md; without it the run fails below the stored figures
 *   --embeddings[=FOLDER]  also scores it with a local embedding package, which is installed there (minutes)
 *   --tokens   also counts what mode search costs a model, on the built program (a minute)
 *   --misses   lists the queries whose tool is not among the first five
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { install, root } from '../../scripts/prepare.mjs';

install();
const folder = mkdtempSync(join(tmpdir(), 'workbench-recall-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/recall/main.ts'],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const { runRecall } = await import(pathToFileURL(join(folder, 'main.mjs')).href);
  process.exitCode = await runRecall({ root, args: process.argv.slice(2) });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
