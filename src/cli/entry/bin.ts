#!/usr/bin/env node
/**
 * The entry: checks the version of Node.js, keeps stdout for the protocol, and only then loads the program. `attach` runs without
 * the program where it can. This file is small so that it starts at once.
 */
import { dirname } from 'node:path';
import { openCompiledCode } from '../../boot/compiled-code.ts';
import { loadProgram } from '../../boot/load-program.ts';
import { findNodeProblem } from './node-version.ts';
import { parseQuickLine } from './quick-line.ts';

/** The files of the program with their hashes; the build makes them first. */
declare const __FILES__: Readonly<Record<string, string>>;

const file = __filename;
const problem = findNodeProblem(process.version);
if (problem === undefined) enter(process.argv.slice(2)).catch(giveUp);
else {
  process.stderr.write(problem);
  process.exitCode = 1;
}

async function enter(argv: readonly string[]): Promise<void> {
  const quick = parseQuickLine(argv);
  if (quick === undefined) return run(argv);
  const { attachProcess } = await import('./attach-process.ts');
  if ((await attachProcess(quick, file)) === 'serve-instead') run(['serve', ...argv.slice(1)]);
}

function run(argv: readonly string[]): void {
  keepConsoleOffStdout();
  const { exports, keepCode } = loadProgram({
    folder: dirname(file),
    main: 'program.cjs',
    files: Object.keys(__FILES__),
    require,
    code: openCompiledCode({ hashes: __FILES__, require }),
  });
  // From here on the program reports its own failures.
  void (exports as typeof import('./start.ts')).start(argv, { file, keepCode });
}

function giveUp(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  const fix = 'Start it in a folder that exists. If that does not help, install mcp-workbench again.';
  process.stderr.write(`✗ The program cannot be started: ${why}\n  Fix  ${fix}\n`);
  process.exit(1);
}

/** stdout belongs to the protocol: what any code prints with `console` goes to stderr. A console is slow to make, so it is made on first use. */
function keepConsoleOffStdout(): void {
  const { Console } = globalThis.console;
  let made: Console | undefined;
  Object.defineProperty(globalThis, 'console', {
    configurable: true,
    enumerable: false,
    get() {
      made ??= new Console(process.stderr, process.stderr);
      return made;
    },
    set(other: Console) {
      made = other;
    },
  });
}
