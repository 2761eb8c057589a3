/** Loads the program from its file: with the compiled code of an earlier run when there is some, otherwise as Node would. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { stateDir } from '../config/paths.ts';
import { type CodeStore, createCodeStore } from './code-store.ts';

export interface LoadedProgram {
  readonly exports: unknown;
  /** Stores the code that is compiled by now, unless it was stored before. Takes some milliseconds. */
  keepCode(): void;
}

interface LoadOptions {
  /** The program as an expression: one function of `require`, `module` and its own folder, in ASCII and without `import()`. */
  readonly file: string;
  /** The function that the program gets as `require`. */
  readonly require: NodeJS.Require;
  /** Undefined when every start compiles. */
  readonly store: CodeStore | undefined;
}

export function loadProgram({ file, require, store }: LoadOptions): LoadedProgram {
  const code = store?.find();
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(code === undefined ? {} : { cachedData: code }),
  });
  let kept = code !== undefined && script.cachedDataRejected !== true;
  const module = { exports: {} };
  script.runInThisContext()(require, module, dirname(file));
  return {
    exports: module.exports,
    keepCode() {
      if (kept) return;
      kept = true;
      store?.save(script.createCachedData());
    },
  };
}

/**
 * The folder in which this user keeps the code of a program with this hash; the variables are those that control Node's own
 * cache.
 */
export function findUserStore(program: string, env: NodeJS.ProcessEnv = process.env): CodeStore | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return undefined;
  const { platform, arch, version } = process;
  return createCodeStore({
    folder: join(stateDir({ env, platform, home: homedir() }), 'code'),
    owner: { platform, uid: process.getuid?.() },
    program,
    engine: `${version}-${arch}`,
  });
}
