/** `npm start`: the built-in demo from a fresh clone. Arguments are passed on to the program instead: `npm start -- list`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare();
const args = process.argv.slice(2);
const done = spawnSync(
  process.execPath,
  [join(root, 'dist/mcp-workbench.cjs'), ...(args.length === 0 ? ['demo'] : args)],
  { stdio: 'inherit' },
);
process.exit(done.status ?? 1);
