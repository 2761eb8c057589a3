#!/usr/bin/env node
/**
 * The entry: looks at the Node.js it runs on, keeps stdout for the protocol, and only then loads the program. `attach` is done
 * without the program when it can be, and a client that begins as it did before is answered before: this file is small so that it
 * starts at once.
 */
import { dirname, join } from 'node:path';
import type { EarlyStart } from '../boot/early.ts';
import { findNodeProblem } from './node-version.ts';
import { parseQuickLine } from './quick-line.ts';

const file = __filename;
const program = join(dirname(file), 'program.cjs');
const problem = findNodeProblem(process.version);
if (problem === undefined) void enter(process.argv.slice(2));
else {
  process.stderr.write(problem);
  process.exitCode = 1;
}

async function enter(argv: readonly string[]): Promise<void> {
  const quick = parseQuickLine(argv);
  if (quick === undefined) return run(argv);
  if (quick.command === 'serve') {
    const { startEarly } = await import('../boot/early.ts');
    return run(argv, await startEarly({ file: program, argv, flag: quick.config }));
  }
  const { attachProcess } = await import('./attach-process.ts');
  if ((await attachProcess(quick, file)) === 'serve-instead') await run(['serve', ...argv.slice(1)]);
}

async function run(argv: readonly string[], early?: EarlyStart): Promise<void> {
  // stdout belongs to the protocol: whatever anybody prints goes to stderr.
  const { Console } = globalThis.console;
  globalThis.console = new Console(process.stderr, process.stderr);
  const { findUserStore, loadProgram } = await import('../boot/load-program.ts');
  const { exports, keepCode } = loadProgram({ file: program, findStore: findUserStore });
  await (exports as typeof import('./start.ts')).start(argv, { file, keepCode, early });
}
