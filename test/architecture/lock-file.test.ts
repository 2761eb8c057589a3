/** `npm ci` wants every optional package of every platform in the lock file, whichever platform wrote it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
}

const root = join(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const locked = Object.entries(packages).filter(([path]) => path !== '');

/** As Node looks for it: beside the package that wants it, then in each folder above. */
function findLocked(from: string, name: string): Locked | undefined {
  const found = packages[from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`];
  if (found !== undefined || from === '') return found;
  return findLocked(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

describe('the lock file', () => {
  it('lists every optional package of every package, so that npm ci works on every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => findLocked(path, name) === undefined)
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(['linux', 'darwin', 'win32'])('has each tool that is built per platform for %s', (platform) => {
    for (const tool of ['@biomejs/biome', '@napi-rs/keyring', 'esbuild', 'lightningcss', 'rolldown', 'typescript']) {
      const { optionalDependencies = {} } = packages[`node_modules/${tool}`] ?? {};
      const built = Object.keys(optionalDependencies).filter((name) =>
        findLocked(`node_modules/${tool}`, name)?.os?.includes(platform),
      );
      expect(built, tool).not.toEqual([]);
    }
  });

  it('names no registry, and knows what every package must hold', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });
});
