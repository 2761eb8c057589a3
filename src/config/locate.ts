/** Paths written in a file, made absolute. Takes the platform as an argument, so every rule can be tested anywhere. */
import { posix, win32 } from 'node:path';

export interface Ground {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** What relative paths start from. */
  readonly dir: string;
}

export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** `~/x` is below home, `x` below the folder, anything absolute stays. */
export function locate(path: string, { platform, home, dir }: Ground): string {
  const paths = pathsOf(platform);
  if (path === '~') return home;
  if (path.startsWith('~/') || (platform === 'win32' && path.startsWith('~\\'))) return paths.join(home, path.slice(2));
  return paths.resolve(dir, path);
}

/** A command is a path only when it says so; a bare name is left for the PATH. */
export function locateCommand(command: string, ground: Ground): string {
  const separators = ground.platform === 'win32' ? /[\\/]/ : /\//;
  return separators.test(command) ? locate(command, ground) : command;
}

/** The project a file belongs to: editors keep theirs in a folder of their own inside it. */
export function projectFolder(dir: string, platform: NodeJS.Platform): string {
  const paths = pathsOf(platform);
  return ['.vscode', '.cursor'].includes(paths.basename(dir)) ? paths.dirname(dir) : dir;
}
