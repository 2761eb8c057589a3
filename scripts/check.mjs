/**
 * `npm run check`: everything a change must pass: format and lint, types, build, generated files, tests. Stops at the first failure.
 * `--no-tests` leaves the tests out, for when they have just been run.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install, root, runTests } from './prepare.mjs';

install();
const modules = join(root, 'node_modules');
const steps = [
  ['format and lint', join(modules, '@biomejs/biome/bin/biome'), ['check', '--error-on-warnings']],
  ['types', join(modules, 'typescript/bin/tsc'), ['-p', '.']],
  ['build', join(root, 'scripts/build.mjs'), []],
  ['generated files', join(root, 'scripts/generate.mjs'), ['--check']],
];
for (const [name, program, args] of steps) {
  process.stderr.write(`── ${name}\n`);
  const done = spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
if (process.argv.includes('--no-tests')) process.exit(0);
process.stderr.write('── tests\n');
process.exit(runTests());
