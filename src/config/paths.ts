/** Where the configuration is looked for, and where state is kept. Pure: platform, environment and disk are arguments. */
import { type Ground, locate, pathsOf } from './locate.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface SearchOptions {
  /** `--config`. */
  readonly flag?: string | undefined;
  readonly env: Env;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly exists: (path: string) => boolean;
  /** Whether nobody but the user and root can change this file or folder. */
  readonly isOurs: (path: string) => boolean;
}

export interface Search {
  /** The file that was asked for by name; then nothing else is looked at. */
  readonly named?: { readonly path: string; readonly by: '--config' | 'WORKBENCH_CONFIG' };
  /** Otherwise: the first of these that exists. */
  readonly places: readonly string[];
}

const fileNames = ['workbench.jsonc', 'workbench.json', 'workbench-config.json'] as const;

export function planSearch(options: SearchOptions): Search {
  const ground: Ground = { platform: options.platform, home: options.home, dir: options.cwd };
  if (options.flag) return { named: { path: locate(options.flag, ground), by: '--config' }, places: [] };
  const stated = options.env.WORKBENCH_CONFIG;
  if (stated) return { named: { path: locate(stated, ground), by: 'WORKBENCH_CONFIG' }, places: [] };
  const { isAbsolute, join } = pathsOf(options.platform);
  const project = options.env.CLAUDE_PROJECT_DIR;
  const starts = [options.cwd, ...(project && isAbsolute(project) ? [project] : [])];
  const folders = [...starts.flatMap((start) => projectFolders(start, options)), userFolder(options)];
  return { places: [...new Set(folders)].flatMap((folder) => fileNames.map((name) => join(folder, name))) };
}

/** The path of the configuration; one that was named is returned even when it does not exist. */
export function findConfigFile(options: SearchOptions): string | undefined {
  const { named, places } = planSearch(options);
  return named?.path ?? places.find(options.exists);
}

/**
 * From a folder up to the root of its repository. Outside a repository only the folder itself: a configuration says what is
 * executed. Whoever can write to a folder on the way, or has put the repository there, could put a configuration there too: then it
 * is as if there were no repository.
 */
function projectFolders(start: string, { platform, exists, isOurs }: SearchOptions): string[] {
  const { dirname, join } = pathsOf(platform);
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder);
    if (!isOurs(folder)) return [start];
    const git = join(folder, '.git');
    if (exists(git)) return isOurs(git) ? folders : [start];
    if (dirname(folder) === folder) return [start];
  }
}

interface Machine {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

function userFolder({ env, platform, home }: Machine): string {
  const { join } = pathsOf(platform);
  const base =
    platform === 'win32'
      ? (absolute(env.APPDATA, platform) ?? join(home, 'AppData', 'Roaming'))
      : (absolute(env.XDG_CONFIG_HOME, platform) ?? join(home, '.config'));
  return join(base, 'mcp-workbench');
}

/** What is kept between runs: catalogs, logs. */
export function stateDir({ env, platform, home }: Machine): string {
  const { join } = pathsOf(platform);
  const stated = absolute(env.WORKBENCH_STATE, platform);
  if (stated !== undefined) return stated;
  const base =
    platform === 'win32'
      ? (absolute(env.LOCALAPPDATA, platform) ?? join(home, 'AppData', 'Local'))
      : (absolute(env.XDG_STATE_HOME, platform) ?? join(home, '.local', 'state'));
  return join(base, 'mcp-workbench');
}

/** A relative folder would be another one for every client: it counts as not given. */
function absolute(path: string | undefined, platform: NodeJS.Platform): string | undefined {
  return path !== undefined && pathsOf(platform).isAbsolute(path) ? path : undefined;
}
