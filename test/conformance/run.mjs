/**
 * `npm run conformance`: the official suite, directly against reference servers and through the built Workbench.
 *   --only TEXT   only measurements and scenarios whose name contains TEXT; can be repeated
 *   --write       writes docs/conformance.md; without it the run fails when the page is out of date
 *   --details     says for every scenario that did not pass what the suite found
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { prepare, root } from '../../scripts/prepare.mjs';

prepare();
const folder = mkdtempSync(join(tmpdir(), 'workbench-conformance-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/conformance/main.ts', 'test/conformance/client-driver.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const { runConformance } = await import(pathToFileURL(join(folder, 'main.mjs')).href);
  process.exitCode = await runConformance({ root, folder, args: process.argv.slice(2) });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
