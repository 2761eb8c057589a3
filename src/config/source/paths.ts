/** Where the configuration is searched, and where state is kept. Pure: platform, environment and disk are arguments. */
import { type PathFacts, pathsOf, resolvePath } from './resolve-path.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface SearchOptions {
  /** `--config`. */
  readonly flag?: string | undefined;
  readonly env: Env;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly exists: (path: string) => boolean;
  /** Whether only the user and root can change this file or folder. */
  readonly isOurs: (path: string) => boolean;
}

export interface Search {
  /** The file that was named; then there is no search. */
  readonly named?: { readonly path: string; readonly by: '--config' | 'WORKBENCH_CONFIG' };
  /** Otherwise the first of these that exists. */
  readonly places: readonly string[];
}

const fileNames = ['workbench.jsonc', 'workbench.json', 'workbench-config.json'] as const;

export function planSearch(options: SearchOptions): Search {
  const ground: PathFacts = { platform: options.platform, home: options.home, dir: options.cwd };
  if (options.flag) return { named: { path: resolvePath(options.flag, ground), by: '--config' }, places: [] };
  const stated = options.env.WORKBENCH_CONFIG;
  if (stated) return { named: { path: resolvePath(stated, ground), by: 'WORKBENCH_CONFIG' }, places: [] };
  const { isAbsolute, join } = pathsOf(options.platform);
  const project = options.env.CLAUDE_PROJECT_DIR;
  const starts = [options.cwd, ...(project && isAbsolute(project) ? [project] : [])];
  const folders = [...starts.flatMap((start) => projectFolders(start, options)), userFolder(options)];
  return { places: [...new Set(folders)].flatMap((folder) => fileNames.map((name) => join(folder, name))) };
}

/** The path of the configuration; a named path is returned even when the file does not exist. */
export function findConfigFile(options: SearchOptions): string | undefined {
  const { named, places } = planSearch(options);
  return named?.path ?? places.find(options.exists);
}

/**
 * Searches from a folder up to the root of its repository. Outside a repository only the folder itself is searched, because a
 * configuration says what is executed. A user who can write to a folder on the way, or who put the repository there, could also
 * put a configuration there: such a repository is ignored.
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

/** The folder for files that are kept between runs: catalogs, logs. */
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

/** A relative folder would differ for every client, so it counts as not set. */
function absolute(path: string | undefined, platform: NodeJS.Platform): string | undefined {
  return path !== undefined && pathsOf(platform).isAbsolute(path) ? path : undefined;
}
