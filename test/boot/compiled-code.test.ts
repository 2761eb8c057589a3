import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeStore } from '../../src/boot/code-store.ts';
import { type CompiledCode, openCompiledCode, useScripts } from '../../src/boot/compiled-code.ts';

const require = createRequire(import.meta.url);
const newFolder = () => mkdtempSync(join(tmpdir(), 'workbench-compiled-'));

function writeFile(): string {
  const file = join(newFolder(), 'program.cjs');
  const body = 'function(require,module){module.exports={twice:(x)=>2*x};}';
  writeFileSync(file, `(typeof module==="undefined"?{}:module).exports=(${body})`);
  return file;
}

function use(code: CompiledCode, file: string): number {
  const module: { exports: unknown } = { exports: {} };
  code.compile(file)(require, module, '');
  return (module.exports as { twice(x: number): number }).twice(21);
}

function memoryStore(kept?: Buffer): CodeStore & { saved: Buffer[] } {
  const saved: Buffer[] = [];
  return { saved, find: () => kept, save: (code) => void saved.push(code) };
}

describe('compiled code that is kept as scripts', () => {
  it('is kept once when there is none, and not when there is', () => {
    const file = writeFile();
    const first = memoryStore();
    const code = useScripts(() => first);
    expect(use(code, file)).toBe(42);
    expect(first.saved).toHaveLength(0);
    code.keep();
    code.keep();
    expect(first.saved).toHaveLength(1);

    const second = memoryStore(first.saved[0]);
    const again = useScripts(() => second);
    expect(use(again, file)).toBe(42);
    again.keep();
    expect(second.saved).toHaveLength(0);
  });

  it('is compiled, and kept, when the code that was kept is refused', () => {
    const store = memoryStore(Buffer.from('of another V8'));
    const code = useScripts(() => store);
    expect(use(code, writeFile())).toBe(42);
    code.keep();
    expect(store.saved).toHaveLength(1);
  });

  it('needs no store', () => {
    const code = useScripts(() => undefined);
    expect(use(code, writeFile())).toBe(42);
    expect(() => code.keep()).not.toThrow();
  });
});

describe('the compiled code of a user', () => {
  const hashes = { 'program.cjs': 'a'.repeat(64) };

  it('lies in the state folder, where Node.js does not keep it itself', () => {
    const state = newFolder();
    const code = openCompiledCode({ hashes, require, env: { WORKBENCH_STATE: state }, cache: {} });
    expect(use(code, writeFile())).toBe(42);
    code.keep();
    expect(readdirSync(join(state, 'code'))).toHaveLength(1);
  });

  it.each(['NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])('is not kept when %s is set', (name) => {
    for (const cache of [{}, fakeCache()]) {
      const state = newFolder();
      const code = openCompiledCode({ hashes, require, env: { WORKBENCH_STATE: state, [name]: '1' }, cache });
      expect(use(code, writeFile())).toBe(42);
      code.keep();
      expect(readdirSync(state)).toEqual([]);
    }
  });

  it('is left to Node.js where that keeps it, from the second run on', () => {
    const state = newFolder();
    const folder = join(state, 'code');
    const open = (cache: FakeCache) => openCompiledCode({ hashes, require, env: { WORKBENCH_STATE: state }, cache });
    const first = fakeCache();
    const code = open(first);
    expect(use(code, writeFile())).toBe(42);
    expect(existsSync(folder)).toBe(false);
    code.keep();
    expect(first.events).toEqual([]);

    const second = fakeCache();
    const again = open(second);
    expect(use(again, writeFile())).toBe(42);
    again.keep();
    expect(second.events).toEqual([folder, 'flushed']);
    expect(readdirSync(folder)).toEqual([]);
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.runIf(process.platform !== 'win32')('is not kept in a folder that others can use', () => {
    const state = newFolder();
    mkdirSync(join(state, 'code'));
    chmodSync(join(state, 'code'), 0o777);
    const cache = fakeCache();
    const code = openCompiledCode({ hashes, require, env: { WORKBENCH_STATE: state }, cache });
    expect(use(code, writeFile())).toBe(42);
    code.keep();
    expect(cache.events).toEqual([]);
  });
});

interface FakeCache {
  readonly events: string[];
  enableCompileCache(folder: string): void;
  flushCompileCache(): void;
}

function fakeCache(): FakeCache {
  const events: string[] = [];
  return {
    events,
    enableCompileCache: (folder) => void events.push(folder),
    flushCompileCache: () => void events.push('flushed'),
  };
}
