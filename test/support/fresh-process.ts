/** Before each file: facts of the process that another file of the same worker may have stated. */
import { stateOwnProgram } from '../../src/base/text/own-command.ts';

stateOwnProgram({ program: () => ['mcp-workbench'], config: undefined, platform: process.platform });
