/**
 * Compiled code that is kept between runs. Node.js 22.8 and later keeps it itself; for older versions each file is compiled as a
 * script whose code lies in a store of our own. See decision 27.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { stateDir } from '../config/source/paths.ts';
import { findFolderFault, prepareFolder } from '../state/own-folder.ts';
import { findStateFault } from '../state/state-folder.ts';
import { type CodeStore, createCodeStore } from './code-store.ts';

/** What a file of the program is: one function, in ASCII and without `import()`. */
export type ProgramBody = (require: (name: string) => unknown, module: { exports: unknown }, folder: string) => void;

export interface CompiledCode {
  compile(path: string): ProgramBody;
  /** Keeps what is compiled by now and was not kept before. If that fails, the next start compiles again. */
  keep(): void;
}

export interface CompiledCodeOptions {
  /** The hash of each file, by its name. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly require: NodeJS.Require;
  readonly env?: NodeJS.ProcessEnv;
  /** Node's own cache, for tests. */
  readonly cache?: NodeCache;
}

/** The part of `node:module` that keeps compiled code. */
export interface NodeCache {
  enableCompileCache?(folder: string): unknown;
  /** Node.js 22.10 and later. Without it the code is kept when the process exits. */
  flushCompileCache?(): void;
}

export function openCompiledCode(options: CompiledCodeOptions): CompiledCode {
  const { hashes, require, env = process.env, cache = findNodeCache(require) } = options;
  const folder = findCodeFolder(env);
  if (cache.enableCompileCache !== undefined) return useNodeCache(cache, require, folder);
  return useScripts((path) => (folder === undefined ? undefined : openStore(folder, hashes[basename(path)])));
}

/** Loading `node:module` takes a while, so versions that cannot have the cache are not asked. */
function findNodeCache(require: NodeJS.Require): NodeCache {
  return Number.parseInt(process.versions.node, 10) < 22 ? {} : require('node:module');
}

/** Undefined where nothing is to be kept, or could be changed by others. The variables are those that tell Node the same. */
function findCodeFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return undefined;
  const state = stateDir({ env, platform: process.platform, home: homedir() });
  return findStateFault(state) === undefined ? join(state, 'code') : undefined;
}

function openStore(folder: string, program: string | undefined): CodeStore | undefined {
  const { platform, arch, version } = process;
  if (program === undefined) return undefined;
  return createCodeStore({
    folder,
    owner: { platform, uid: process.getuid?.() },
    program,
    engine: `${version}-${arch}`,
  });
}

/** Node executes what it finds in the folder, so the folder must be the user's own and closed to others. It is made by `keep`. */
function useNodeCache(cache: NodeCache, require: NodeJS.Require, folder: string | undefined): CompiledCode {
  const isReady = folder !== undefined && findFolderFault(folder) === undefined;
  if (isReady) cache.enableCompileCache?.(folder);
  return {
    compile: (path) => require(path),
    keep() {
      if (isReady) cache.flushCompileCache?.();
      else if (folder !== undefined) prepareFolder(folder);
    },
  };
}

export function useScripts(findStore: (path: string) => CodeStore | undefined): CompiledCode {
  const unkept = new Map<Script, CodeStore>();
  return {
    compile(path) {
      const store = findStore(path);
      const code = store?.find();
      const source = readFileSync(path, 'latin1');
      const script = new Script(source, { filename: path, ...(code === undefined ? {} : { cachedData: code }) });
      const isKept = code !== undefined && script.cachedDataRejected !== true;
      if (store !== undefined && !isKept) unkept.set(script, store);
      return script.runInThisContext();
    },
    keep() {
      for (const [script, store] of unkept) store.save(script.createCachedData());
      unkept.clear();
    },
  };
}
