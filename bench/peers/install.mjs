/** Peers are installed when they are asked for, each into a folder of its own: nothing of them is in our packages. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const patienceMs = 120_000;

/** What is there afterwards, by package: `{ version, main }`, or `{ reason }` why it is not. */
export async function installPeers(packages, folder) {
  const found = new Map();
  for (const [at, spec] of packages.entries()) {
    const own = join(folder, `peer-${at}`);
    try {
      found.set(spec, await installOne(spec, own));
    } catch (error) {
      found.set(spec, { reason: reasonOf(error) });
    }
  }
  return found;
}

async function installOne(spec, folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  // npm passes its own path along; going through it avoids looking for npm on a PATH that may not have it.
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  // No scripts: packages of others get to run as programs that we start and end, not before.
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', spec];
  const shell = npm === undefined && process.platform === 'win32';
  await run(command, [...first, ...args], { cwd: folder, timeout: patienceMs, killSignal: 'SIGKILL', shell });
  const home = join(folder, 'node_modules', nameOf(spec));
  const { version, bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return { version, main: join(home, typeof bin === 'string' ? bin : Object.values(bin)[0]) };
}

/** The name without its version; a scope also begins with an @. */
export function nameOf(spec) {
  const at = spec.indexOf('@', 1);
  return at < 0 ? spec : spec.slice(0, at);
}

export function reasonOf({ killed, stderr, message }) {
  if (killed) return `not installed within ${patienceMs / 1_000} s`;
  const said = stderr || message;
  if (/E404|ETARGET/.test(said)) return 'not in the registry';
  return `not installed: ${said.trim().split('\n')[0].slice(0, 200)}`;
}
