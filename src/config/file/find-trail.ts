/**
 * Finds the trail that leads to this process. It is in the environment of the process, unless a program in between started it
 * with another one: most gateways pass on little more than the PATH, some nothing. So it is also searched at the end of the PATH,
 * where it is repeated on systems that do not show the environment of other processes, and on Linux in the environments of the
 * parent processes.
 */

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseTrailText, type Step, toTrailText, trailVariable } from '../../base/call/trail.ts';
import { processExists } from '../../state/process-exists.ts';
import { pathsOf } from '../source/resolve-path.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface TrailSources {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** The environments of the processes above this one, nearest first. */
  environmentsAbove(): Iterable<string>;
  isAlive(pid: number): boolean;
}

/** Outermost first; without Workbenches that have ended, whose process numbers may belong to others by now. */
export function findTrail({ env, platform, environmentsAbove, isAlive }: TrailSources): Step[] {
  const own = env[trailVariable] ?? findInPath(env, platform);
  const text = own ?? (platform === 'linux' ? findAbove(environmentsAbove()) : undefined);
  return parseTrailText(text ?? '').filter(({ pid }) => isAlive(pid));
}

/** The trail of this process itself. */
export function findOwnTrail(env: Env = process.env): Step[] {
  return findTrail({
    env,
    platform: process.platform,
    environmentsAbove: readEnvironmentsAbove,
    isAlive: processExists,
  });
}

/** The same for one configuration file on one machine, through any path. Reveals neither. */
export function toConfigId(path: string): string {
  const real = orUndefined(() => realpathSync.native(path)) ?? path;
  return createHash('sha256').update(`${hostname()}\0${real}`).digest('hex').slice(0, 16);
}

/** The variables that hand the trail to a process, in addition to those it has. */
export function withTrail(
  env: Readonly<Record<string, string>>,
  steps: readonly Step[],
  { platform, node }: { readonly platform: NodeJS.Platform; readonly node: string },
): Record<string, string> {
  const told = { ...env, [trailVariable]: toTrailText(steps) };
  if (platform === 'linux') return told;
  const { delimiter } = pathsOf(platform);
  const [name, value] = findPath(env, platform) ?? ['PATH', ''];
  const folders = value.split(delimiter).filter((folder) => folder !== '' && !isMark(folder, platform));
  return { ...told, [name]: [...folders, toMark(steps, { platform, node })].join(delimiter) };
}

const markName = 'mcp-workbench-trail';

/** There can be nothing below a file, so no user can put a program there. */
function toMark(steps: readonly Step[], { platform, node }: { platform: NodeJS.Platform; node: string }): string {
  return pathsOf(platform).join(node, markName, toTrailText(steps));
}

function isMark(folder: string, platform: NodeJS.Platform): boolean {
  const { basename, dirname } = pathsOf(platform);
  return basename(dirname(folder)) === markName;
}

function findInPath(env: Env, platform: NodeJS.Platform): string | undefined {
  const { basename, delimiter } = pathsOf(platform);
  const mark = findPath(env, platform)?.[1]
    .split(delimiter)
    .findLast((folder) => isMark(folder, platform));
  return mark === undefined ? undefined : basename(mark);
}

function findPath(env: Env, platform: NodeJS.Platform): [string, string] | undefined {
  const isPath = (name: string) => (platform === 'win32' ? name.toUpperCase() : name) === 'PATH';
  const name = Object.keys(env).find(isPath);
  return name === undefined ? undefined : [name, env[name] ?? ''];
}

function findAbove(environments: Iterable<string>): string | undefined {
  const prefix = `${trailVariable}=`;
  for (const environment of environments) {
    // Nearly every environment is long, and has none.
    if (!environment.includes(prefix)) continue;
    const found = environment.split('\0').find((each) => each.startsWith(prefix));
    if (found !== undefined) return found.slice(prefix.length);
  }
  return undefined;
}

const maxAbove = 64;

/** The environments those processes were started with, not as they changed them later. */
function* readEnvironmentsAbove(): Generator<string> {
  let pid = process.ppid;
  for (let level = 0; level < maxAbove && pid > 1; level++) {
    yield orUndefined(() => readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? '';
    const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
    // After the name of the program, which may hold anything: its state, then its parent.
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
  }
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
