/**
 * `npm run soak`: many clients and servers for minutes, some of them bad, and every call accounted for.
 *   --minutes N   how long calls are made (2)
 *   --rate N      calls a second to aim at (200); fewer are made when the machine does not hold it
 *   --seed N      the same choices again
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { prepare, root } from '../../scripts/prepare.mjs';

prepare();
const folder = mkdtempSync(join(tmpdir(), 'workbench-soak-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
await build({
  absWorkingDir: root,
  entryPoints: ['test/soak/main.ts'],
  outfile: join(folder, 'main.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
});
const { runSoak } = await import(pathToFileURL(join(folder, 'main.mjs')).href);
process.exit(await runSoak({ root, folder, args: process.argv.slice(2) }));
