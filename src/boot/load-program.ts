/** Loads the program out of its file: with the compiled code of an earlier run when there is some, else as Node would. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { stateDir } from '../config/paths.ts';
import { type CodeStore, createCodeStore } from './code-store.ts';

export interface LoadedProgram {
  readonly exports: unknown;
  /** Keeps the code as it is compiled by now, unless it was kept before. Takes some milliseconds. */
  keepCode(): void;
}

export interface LoadOptions {
  /** One function of `require` and `module` as an expression, in ASCII and without `import()`. */
  readonly file: string;
  /** Undefined: every start compiles. */
  findStore(source: Buffer): CodeStore | undefined;
}

export function loadProgram({ file, findStore }: LoadOptions): LoadedProgram {
  const source = readFileSync(file);
  const store = findStore(source);
  const code = store?.find();
  const script = new Script(source.toString('latin1'), {
    filename: file,
    ...(code === undefined ? {} : { cachedData: code }),
  });
  let kept = code !== undefined && script.cachedDataRejected !== true;
  const module = { exports: {} };
  script.runInThisContext()(createRequire(file), module);
  return {
    exports: module.exports,
    keepCode() {
      if (kept) return;
      kept = true;
      store?.save(script.createCachedData());
    },
  };
}

/** Where this user keeps it; the variables are those with which Node is told the same. */
export function findUserStore(source: Buffer, env: NodeJS.ProcessEnv = process.env): CodeStore | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return undefined;
  const { platform, arch, version } = process;
  return createCodeStore({
    folder: join(stateDir({ env, platform, home: homedir() }), 'code'),
    owner: { platform, uid: process.getuid?.() },
    source,
    engine: `${version}-${arch}`,
  });
}
