/**
 * Finds the program a server is started with: on the PATH, else where the person's terminal would find it.
 * A client started from a desktop has a shorter PATH than the terminal in which the configuration was tried.
 * All looking is done through `CommandLookup`, so every platform's rules are decided here and nowhere else.
 */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { pathsOf } from '../../config/source/resolve-path.ts';
import { findVariable } from '../../config/values/find-variable.ts';
import type { ServerEnvironment } from './environment.ts';
import { describeKnownFolders, findKnownFolders } from './known-folders.ts';

export type FileKind = 'executable' | 'not executable' | 'folder' | 'missing';

export interface CommandLookup {
  /** Complete, as the server will get it. */
  readonly environment: ServerEnvironment;
  /** Absolute; where a command written as a relative path begins. */
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  inspect(file: string): FileKind;
  /** Names in a folder; none when it cannot be read. */
  list(folder: string): readonly string[];
  /** Called only when the command is not on the PATH, and never on Windows. */
  loginShellPath(): Promise<string | undefined>;
}

export interface ResolvedCommand {
  /** Absolute. */
  readonly file: string;
  readonly from: 'as written' | 'path' | 'login shell' | 'known folder';
  /** The PATH to start it with, so that what it starts in turn is found too: `npx` needs its `node`. */
  readonly pathForChild: string;
}

export async function resolveCommand(command: string, lookup: CommandLookup): Promise<ResolvedCommand> {
  const { environment, platform } = lookup;
  const path = findVariable(environment, 'PATH', platform) ?? '';
  if (isWrittenAsPath(command, platform)) return resolveWritten(command, lookup, path);

  const refused: string[] = [];
  const search = (folders: readonly string[]) => {
    for (const file of folders.flatMap((folder) => candidates(pathsOf(platform).join(folder, command), lookup))) {
      const kind = lookup.inspect(file);
      if (kind === 'executable') return file;
      if (kind === 'not executable') refused.push(file);
    }
    return undefined;
  };

  const onPath = search(splitPath(path, platform));
  if (onPath !== undefined) return { file: onPath, from: 'path', pathForChild: path };

  const shellPath = platform === 'win32' ? undefined : await lookup.loginShellPath();
  if (shellPath !== undefined) {
    const file = search(splitPath(shellPath, platform));
    if (file !== undefined) return { file, from: 'login shell', pathForChild: joinPaths([shellPath, path], platform) };
  }

  const file = search(findKnownFolders(lookup));
  if (file !== undefined) {
    const folder = pathsOf(platform).dirname(file);
    return { file, from: 'known folder', pathForChild: joinPaths([folder, path], platform) };
  }

  if (refused[0] !== undefined) throw notExecutable(command, refused[0]);
  throw notFound(command, { path, platform });
}

function resolveWritten(command: string, lookup: CommandLookup, path: string): ResolvedCommand {
  const { cwd, platform } = lookup;
  const written = pathsOf(platform).resolve(cwd, command);
  const tried = [...candidates(written, lookup), written];
  const file = tried.find((candidate) => lookup.inspect(candidate) === 'executable');
  if (file !== undefined) {
    // Tried last, so that it changes only what would not be found at all.
    const pathForChild = joinPaths([path, pathsOf(platform).dirname(file)], platform);
    return { file, from: 'as written', pathForChild };
  }
  const kind = lookup.inspect(written);
  if (kind === 'folder')
    throw new WorkbenchError(
      'WB1002',
      `The command ${quote(command)} is a folder, not a program (${shown(written)}).`,
      {
        fix: 'Write the file inside it that is to be started as "command".',
      },
    );
  if (kind === 'not executable') throw notExecutable(command, written);
  throw new WorkbenchError(
    'WB1001',
    `The command ${quote(command)} was not found: there is no file ${shown(written)}.`,
    {
      fix: /\s/.test(command)
        ? `${onlyTheProgram} If this is the path of a file, correct it.`
        : 'Correct "command"; a relative path begins at the folder of the configuration file.',
    },
  );
}

/** A bare name is searched for; a command with a folder in it is a path. */
function isWrittenAsPath(command: string, platform: NodeJS.Platform): boolean {
  return command.includes('/') || (platform === 'win32' && (command.includes('\\') || /^[a-z]:/i.test(command)));
}

/** The files that `file` may stand for: on Windows one for each extension that can be started. */
function candidates(file: string, { environment, platform }: CommandLookup): string[] {
  if (platform !== 'win32') return [file];
  const listed = findVariable(environment, 'PATHEXT', platform) || '.COM;.EXE;.BAT;.CMD';
  const extensions = listed.split(';').filter((extension) => extension.startsWith('.'));
  const own = pathsOf(platform).extname(file).toUpperCase();
  const complete = extensions.some((extension) => extension.toUpperCase() === own);
  return [...(complete ? [file] : []), ...extensions.map((extension) => file + extension.toLowerCase())];
}

/** Absolute folders only: an empty or relative entry would let the current folder choose the program. */
function splitPath(path: string, platform: NodeJS.Platform): string[] {
  const { delimiter, isAbsolute } = pathsOf(platform);
  const folders = path.split(delimiter).map((folder) => (platform === 'win32' ? folder.replaceAll('"', '') : folder));
  return folders.filter((folder) => isAbsolute(folder));
}

/** Several PATHs joined; each folder stands where it came first. */
function joinPaths(paths: readonly string[], platform: NodeJS.Platform): string {
  const { delimiter } = pathsOf(platform);
  const folders = paths.flatMap((path) => path.split(delimiter)).filter((folder) => folder !== '');
  return [...new Set(folders)].join(delimiter);
}

/** How to install the programs that most servers are started with. */
const installHints = new Map([
  ...['node', 'npm', 'npx'].map((name) => [name, 'Install Node.js (https://nodejs.org)'] as const),
  ...['uv', 'uvx'].map((name) => [name, 'Install uv (https://docs.astral.sh/uv)'] as const),
  ['docker', 'Install Docker (https://docs.docker.com/get-docker)'],
  ['bunx', 'Install Bun (https://bun.sh)'],
  ['python', 'Write "python3" if that is its name on this machine'],
]);

const onlyTheProgram = 'Write only the program as "command" and every argument as its own string in "args".';

function notFound(command: string, { path, platform }: { path: string; platform: NodeJS.Platform }): WorkbenchError {
  const places = [
    `on the PATH (${path === '' ? 'which is empty' : toPrintable(path, 160)})`,
    ...(platform === 'win32' ? [] : ['on the PATH of your login shell']),
    `in ${describeKnownFolders(platform)}`,
  ];
  const absolute = `write its absolute path as "command" (a terminal shows it: ${platform === 'win32' ? 'where' : 'which'} ${shown(command)})`;
  const fix = /\s/.test(command)
    ? onlyTheProgram
    : `${installHints.get(command) ?? 'Install the program'}, or ${absolute}.`;
  return new WorkbenchError('WB1001', `The command ${quote(command)} was not found: looked ${places.join(', ')}.`, {
    fix,
  });
}

function notExecutable(command: string, file: string): WorkbenchError {
  return new WorkbenchError('WB1002', `The command ${quote(command)} is not executable: ${shown(file)}.`, {
    fix: `Allow it to be run (chmod +x ${shown(file)}), or start it with its interpreter as "command".`,
  });
}

const shown = (text: string) => toPrintable(text, 160);
const quote = (text: string) => `"${shown(text)}"`;
