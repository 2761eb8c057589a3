/**
 * Says why a program could not be started.
 * The system's own error is never passed on: it contains the arguments and, at times, the value of a variable.
 */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { codeOf } from '../../base/errors/code-of.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';

/** When `cwd` is missing, the system says that the *command* is missing, so `cwd` is checked first. */
export function checkCwd(cwd: string): void {
  const fault = findFault(cwd);
  if (fault === undefined) return;
  throw new WorkbenchError('WB1002', `The folder "cwd" ${fault}: ${toPrintable(cwd, 200)}.`, {
    fix: 'Correct "cwd" of the server, or create the folder.',
  });
}

function findFault(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return 'is not a folder';
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'does not exist' : 'cannot be entered';
  }
}

export function toSpawnFailure(error: unknown, command: string): WorkbenchError {
  const shown = `"${toPrintable(command, 200)}"`;
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
      if (!isAbsolute(command) || !existsSync(command))
        return new WorkbenchError('WB1001', `The command ${shown} was not found.`);
      return new WorkbenchError(
        'WB1002',
        `The command ${shown} exists, but the program named in its first line does not.`,
        {
          fix: 'Install the interpreter that the first line of the file names, or start the file with another one.',
        },
      );
    case 'EACCES':
    case 'EPERM':
    case 'ENOTDIR':
      return new WorkbenchError('WB1002', `The system does not allow ${shown} to be executed (${code}).`);
    case 'ENOEXEC':
      return new WorkbenchError('WB1002', `The command ${shown} is not a program for this system (ENOEXEC).`, {
        fix: 'Install the build for this operating system and processor.',
      });
    case 'E2BIG':
      return new WorkbenchError(
        'WB1002',
        `The arguments and variables for ${shown} are too long for the system (E2BIG).`,
        {
          fix: 'Pass large values to the server by a file.',
        },
      );
    case 'ERR_INVALID_ARG_VALUE':
      return new WorkbenchError('WB1002', `An argument or a variable for ${shown} contains a NUL character.`, {
        fix: 'Remove the NUL character from "args" and "env" of the server.',
      });
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return new WorkbenchError('WB1002', `The system has no room to start ${shown} (${code}).`, {
        fix: 'End other programs, or raise the limits on processes and open files (ulimit -u, ulimit -n).',
      });
    default:
      return new WorkbenchError('WB1002', `The command ${shown} could not be started (${code}).`);
  }
}
