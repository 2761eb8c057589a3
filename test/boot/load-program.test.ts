import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useScripts } from '../../src/boot/compiled-code.ts';
import { loadProgram } from '../../src/boot/load-program.ts';

const require = createRequire(import.meta.url);

function wrap(body: string): string {
  return `(typeof module==="undefined"?{}:module).exports=(function(require,module,__ownFolder){${body}})`;
}

function writeProgram(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'workbench-load-'));
  for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, name), wrap(body));
  const compiled: string[] = [];
  const scripts = useScripts(() => undefined);
  const code = {
    keep: () => void compiled.push('kept'),
    compile(path: string) {
      compiled.push(path.slice(folder.length + 1));
      return scripts.compile(path);
    },
  };
  return { folder, compiled, options: { folder, main: 'program.cjs', files: Object.keys(files), require, code } };
}

describe('the program', () => {
  it('loads a part when it is first asked for, and once', () => {
    const { compiled, options } = writeProgram({
      'program.cjs': 'module.exports = { first: 1, load: () => require("./part.cjs") };',
      'part.cjs': 'module.exports = { first: require("./program.cjs").first, folder: __ownFolder };',
    });
    const { exports, keepCode } = loadProgram(options);
    const program = exports as { load(): unknown };
    expect(compiled).toEqual(['program.cjs']);
    const part = program.load();
    expect(part).toEqual({ first: 1, folder: options.folder });
    expect(program.load()).toBe(part);
    keepCode();
    expect(compiled).toEqual(['program.cjs', 'part.cjs', 'kept']);
  });

  it('gets everything else from Node', () => {
    const { options } = writeProgram({ 'program.cjs': 'module.exports = require("node:path").sep;' });
    expect(loadProgram(options).exports).toBe(require('node:path').sep);
    const { options: wrong } = writeProgram({ 'program.cjs': 'require("./other.cjs");' });
    expect(() => loadProgram(wrong)).toThrow(/other\.cjs/);
  });
});
