/** Makes a fresh clone ready: installs what is missing and builds what is out of date. Quiet when there is nothing to do. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export function prepare() {
  install();
  build();
}

export function install() {
  if (isInstalled()) return;
  process.stderr.write('Installing packages (first run only) …\n');
  // npm passes its own path along; going through it avoids looking for npm on a PATH that may not have it.
  const npm = process.env.npm_execpath;
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  // Not `npm ci`: it fails while package.json and the lock file differ, and installs everything anew. Nothing is saved.
  const done = spawnSync(command, [...args, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: npm === undefined && process.platform === 'win32',
  });
  if (done.status !== 0) {
    process.stderr.write('The packages could not be installed; see the lines above. Try: npm install\n');
    process.exit(done.status ?? 1);
  }
}

/** npm writes this file at the end of an install: what it names must be what the lock file names. */
function isInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  return existsSync(installed) && versions(installed) === versions(join(root, 'package-lock.json'));
}

/** Optional packages differ from platform to platform and do not count. */
function versions(lockFile) {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const required = Object.entries(packages).filter(([path, { optional }]) => path !== '' && optional !== true);
  return required
    .map(([path, { version }]) => `${path}@${version}`)
    .sort()
    .join('\n');
}

export function build() {
  const program = join(root, 'dist/mcp-workbench.cjs');
  const newest = Math.max(
    ...['src', 'scripts/build.mjs', 'package.json'].map((path) => newestChange(join(root, path))),
  );
  if (existsSync(join(root, 'dist/LICENSES.txt')) && statSync(program).mtimeMs >= newest) return;
  process.stderr.write('Building …\n');
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: ['ignore', 2, 'inherit'] });
}

/** Runs the tests that `args` name, or as much of all as `npm test` does; gives the exit code. */
export function runTests(args = []) {
  const { WORKBENCH_TESTS = args.length === 0 ? 'most' : 'all' } = process.env;
  const done = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WORKBENCH_TESTS },
  });
  return done.status ?? 1;
}

function newestChange(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
