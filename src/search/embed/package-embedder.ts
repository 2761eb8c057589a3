/**
 * Embeddings of a package that the person installed, in a thread of its own. The thread is started by the first text and ends
 * when it has not been used for a while: a model takes more memory than the rest of the program.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../base/async/clock.ts';
import { codeOf } from '../../base/errors/code-of.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { type Embedder, EmbedError, toVectors } from './embedder.ts';
import { workerCode } from './worker-code.ts';

export interface PackageEmbedderOptions {
  /** The name of a package, or the absolute path of a module. */
  readonly name: string;
  readonly model?: string;
  /** The folders that packages are looked for from, in this order. */
  readonly folders: readonly string[];
  readonly clock?: Clock;
}

/** A query waits for at most one request before it. */
const maxTexts = 4;
const idleMs = 5 * 60_000;
const maxHeapMb = 1_024;

interface Waiting {
  readonly done: (vectors: readonly unknown[]) => void;
  readonly fail: (error: EmbedError) => void;
}

interface Answer {
  readonly id: number;
  readonly vectors?: readonly unknown[];
  readonly error?: string;
}

export function createPackageEmbedder(options: PackageEmbedderOptions): Embedder {
  const { name, model, folders, clock = systemClock } = options;
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let next = 0;
  let stopTimer: (() => void) | undefined;

  const end = (why: string): void => {
    stopTimer?.();
    void thread?.terminate();
    thread = undefined;
    for (const { fail } of waiting.values()) fail(new EmbedError(why, { mayPass: true }));
    waiting.clear();
  };
  const open = (): Worker => {
    const module = resolveModule(name, folders);
    const weights = model === undefined ? undefined : resolveModule(model, folders);
    const worker = new Worker(workerCode, {
      eval: true,
      // What the package prints must not reach stdout, which belongs to the protocol; secrets must not reach the package.
      ...{ stdin: false, stdout: true, stderr: true, env: {}, argv: [], execArgv: [] },
      workerData: { module, weights },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', ({ id, vectors, error }: Answer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (vectors !== undefined) asked?.done(vectors);
      else
        asked?.fail(new EmbedError(`the package ${name} fails: ${toPrintable(error ?? '', 200)}`, { mayPass: false }));
    });
    const lost = () => {
      if (thread === worker) end(`the thread of the package ${name} has ended`);
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    return worker;
  };
  const ask = (texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]> => {
    thread ??= open();
    stopTimer?.();
    stopTimer = clock.after(idleMs, () => end('the thread was not used'));
    const worker = thread;
    const id = next++;
    const giveUp = () => waiting.get(id)?.fail(new EmbedError('it took too long', { mayPass: true }));
    signal.addEventListener('abort', giveUp);
    const answered = new Promise<readonly unknown[]>((done, fail) => {
      waiting.set(id, { done, fail });
      worker.postMessage({ id, texts });
    });
    return answered.finally(() => signal.removeEventListener('abort', giveUp));
  };
  return {
    id: createHash('sha256')
      .update(JSON.stringify(['package', name, model]))
      .digest('hex')
      .slice(0, 32),
    maxTexts,
    embed: async (texts, signal) => toVectors(await ask(texts, signal), texts.length),
    async close() {
      end('the search was closed');
    },
  };
}

function resolveModule(name: string, folders: readonly string[]): string {
  if (isAbsolute(name)) return name;
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(name);
    } catch (error) {
      if (codeOf(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
        throw new EmbedError(`the package ${name} cannot be loaded with require`, { mayPass: false });
    }
  }
  const where = folders.map((folder) => toPrintable(folder)).join(' and ');
  throw new EmbedError(
    `the package ${name} is not installed; it was looked for from ${where}. Run: npm install ${name}`,
    {
      mayPass: false,
    },
  );
}
