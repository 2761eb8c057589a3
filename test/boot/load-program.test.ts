import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeStore } from '../../src/boot/code-store.ts';
import { findUserStore, loadProgram } from '../../src/boot/load-program.ts';

const text = `(function(require,module){
  module.exports = { twice: (x) => 2 * x, sep: require('node:path').sep };
})`;

function writeProgram(source = text): string {
  const file = join(mkdtempSync(join(tmpdir(), 'workbench-load-')), 'program.cjs');
  writeFileSync(file, source);
  return file;
}

function memoryStore(kept?: Buffer): CodeStore & { saved: Buffer[] } {
  const saved: Buffer[] = [];
  return { saved, find: () => kept, save: (code) => void saved.push(code) };
}

const require = createRequire(import.meta.url);
const use = (exports: unknown) => (exports as { twice(x: number): number }).twice(21);

describe('loading the program', () => {
  it('keeps its code once when there is none, and does not when there is', () => {
    const file = writeProgram();
    const first = memoryStore();
    const program = loadProgram({ file, require, store: first });
    expect(use(program.exports)).toBe(42);
    expect(first.saved).toHaveLength(0);
    program.keepCode();
    program.keepCode();
    expect(first.saved).toHaveLength(1);

    const second = memoryStore(first.saved[0]);
    const again = loadProgram({ file, require, store: second });
    expect(use(again.exports)).toBe(42);
    again.keepCode();
    expect(second.saved).toHaveLength(0);
  });

  it('compiles, and keeps that, when what was kept is refused', () => {
    const store = memoryStore(Buffer.from('of another V8'));
    const program = loadProgram({ file: writeProgram(), require, store });
    expect(use(program.exports)).toBe(42);
    program.keepCode();
    expect(store.saved).toHaveLength(1);
  });

  it('works without a store', () => {
    const program = loadProgram({ file: writeProgram(), require, store: undefined });
    program.keepCode();
    expect(use(program.exports)).toBe(42);
  });

  it.each(['NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])('has no store when %s says so', (name) => {
    const env = { WORKBENCH_STATE: mkdtempSync(join(tmpdir(), 'workbench-load-')) };
    expect(findUserStore('a hash', env)).toBeDefined();
    expect(findUserStore('a hash', { ...env, [name]: '1' })).toBeUndefined();
  });
});
