/** The real file system and login shell behind `resolveCommand`. */
import { accessSync, constants, lstatSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { CommandLookup, FileKind } from './command.ts';
import type { ServerEnvironment } from './environment.ts';
import { loginShellPath } from './login-shell.ts';

export function systemLookup(place: { readonly environment: ServerEnvironment; readonly cwd: string }): CommandLookup {
  return { ...place, home: homedir(), platform: process.platform, inspect, list, loginShellPath };
}

export function inspect(file: string, platform: NodeJS.Platform = process.platform): FileKind {
  try {
    // On a long PATH most files do not exist, and an exception costs more than the check.
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return missing(file, platform);
    if (found.isDirectory()) return 'folder';
    if (platform === 'win32') return 'executable'; // There the extension decides which files can be started.
  } catch {
    return missing(file, platform);
  }
  try {
    accessSync(file, constants.X_OK);
    return 'executable';
  } catch {
    return 'not executable';
  }
}

function missing(file: string, platform: NodeJS.Platform): FileKind {
  return platform === 'win32' && isAlias(file) ? 'executable' : 'missing';
}

/** Programs from the Windows store are links that can be started but not followed. */
function isAlias(file: string): boolean {
  try {
    return !lstatSync(file).isDirectory();
  } catch {
    return false;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
