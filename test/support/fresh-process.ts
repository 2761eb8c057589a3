/** Before each file: facts of the process that another file of the same worker may have stated. After it: nothing is left running. */
import { afterAll } from 'vitest';
import { stateOwnProgram } from '../../src/base/text/own-command.ts';
import { endFile } from './at-end.ts';

stateOwnProgram({ program: () => ['mcp-workbench'], config: undefined, platform: process.platform });
// Registered before the hooks of the file, so it runs after them.
afterAll(endFile);
