#!/usr/bin/env node
/**
 * The entry: looks at the Node.js it runs on, keeps stdout for the protocol, and only then loads the program. `attach` is done
 * without the program when it can be: this file is small so that it starts at once.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNodeProblem } from './node-version.ts';
import { parseQuickAttach } from './quick-attach.ts';

const file = fileURLToPath(import.meta.url);
const problem = findNodeProblem(process.version);
if (problem === undefined) {
  const argv = process.argv.slice(2);
  const quick = parseQuickAttach(argv);
  if (quick === undefined) await run(argv);
  else {
    const { attachProcess } = await import('./attach-process.ts');
    if ((await attachProcess(quick, file)) === 'serve-instead') await run(['serve', ...argv.slice(1)]);
  }
} else {
  process.stderr.write(problem);
  process.exitCode = 1;
}

async function run(argv: readonly string[]): Promise<void> {
  // stdout belongs to the protocol: whatever anybody prints goes to stderr.
  const { Console } = globalThis.console;
  globalThis.console = new Console(process.stderr, process.stderr);
  const { findUserStore, loadProgram } = await import('../boot/load-program.ts');
  const program = loadProgram({ file: join(dirname(file), 'program.cjs'), findStore: findUserStore });
  const { start } = program.exports as typeof import('./start.ts');
  await start(argv, { file, keepCode: program.keepCode });
}
