#!/usr/bin/env node
/** The entry: looks at the Node.js it runs on, keeps stdout for the protocol, and only then loads the program. */
import { findNodeProblem } from './node-version.ts';

const problem = findNodeProblem(process.version);
if (problem === undefined) {
  // stdout belongs to the protocol: whatever anybody prints goes to stderr.
  const { Console } = globalThis.console;
  globalThis.console = new Console(process.stderr, process.stderr);
  const { start } = await import('./start.ts');
  await start();
} else {
  process.stderr.write(problem);
  process.exitCode = 1;
}
