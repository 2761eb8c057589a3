/** Loads the files of the program: the first one at the start, each of the others when it is first needed. */
import { join } from 'node:path';
import type { CompiledCode } from './compiled-code.ts';

export interface LoadedProgram {
  readonly exports: unknown;
  /** Keeps the code as it is compiled by now, as far as it was not kept before. Takes some milliseconds. */
  keepCode(): void;
}

export interface LoadProgramOptions {
  /** Where the files are. */
  readonly folder: string;
  /** The first file. It asks for the others with `require('./part.cjs')`. */
  readonly main: string;
  readonly files: readonly string[];
  /** What the files get as `require` for everything else. */
  readonly require: NodeJS.Require;
  readonly code: CompiledCode;
}

export function loadProgram({ folder, main, files, require, code }: LoadProgramOptions): LoadedProgram {
  const loaded = new Map<string, { exports: unknown }>();
  const names = new Set(files.map((file) => `./${file}`));
  const load = (file: string): unknown => {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    code.compile(join(folder, file))(requireOwn, module, folder);
    return module.exports;
  };
  const requireOwn = (name: string) => (names.has(name) ? load(name.slice(2)) : require(name));
  return { exports: load(main), keepCode: () => code.keep() };
}
