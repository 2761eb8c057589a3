/** Makes the paths of a file absolute. The platform is an argument, so every rule can be tested anywhere. */
import { posix, win32 } from 'node:path';

export interface PathFacts {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The folder that relative paths start from. */
  readonly dir: string;
}

export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** `~/x` is below home, `x` is below the folder, an absolute path stays. */
export function resolvePath(path: string, { platform, home, dir }: PathFacts): string {
  const paths = pathsOf(platform);
  if (path === '~') return home;
  if (path.startsWith('~/') || (platform === 'win32' && path.startsWith('~\\'))) return paths.join(home, path.slice(2));
  return paths.resolve(dir, path);
}

/** A command is a path only when it looks like one; a bare name is left for the PATH. */
export function resolveCommandPath(command: string, ground: PathFacts): string {
  const separators = ground.platform === 'win32' ? /[\\/]/ : /\//;
  return separators.test(command) ? resolvePath(command, ground) : command;
}

/** The project that a file belongs to: editors keep their file in a folder of their own inside it. */
export function projectFolder(dir: string, platform: NodeJS.Platform): string {
  const paths = pathsOf(platform);
  return ['.vscode', '.cursor'].includes(paths.basename(dir)) ? paths.dirname(dir) : dir;
}
