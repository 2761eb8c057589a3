/**
 * Where the daemon of a configuration listens, and how platforms differ in that. Pure: platform, environment and user are
 * arguments. The version and the configuration are part of the name, so that programs that must not meet use different addresses.
 */
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';

export interface DaemonPathsOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The state folder. */
  readonly stateDir: string;
  /** Folder for files that may be lost. */
  readonly tempDir: string;
  /** Number of the user; undefined where users have no number. */
  readonly uid: number | undefined;
  /** Absolute path of the configuration file. */
  readonly config: string;
  /** Version of this program. */
  readonly version: string;
  /** Whose address this is: the daemon's, or that of an HTTP service that the command line asks. */
  readonly door?: Door | undefined;
}

export type Door = 'daemon' | 'service';

export interface DaemonPaths {
  /** Folders that must be the user's own and closed to others, in this order. */
  readonly folders: readonly string[];
  /** The address to connect to: the path of a socket, or the name of a pipe. */
  readonly address: string;
  /** The address is a file, which remains when its owner is killed. */
  readonly isFile: boolean;
  readonly secretFile: string;
  readonly logFile: string;
  /** Held by a process that starts a daemon. */
  readonly startLock: string;
  /** Held by a daemon while it binds the address. */
  readonly bindLock: string;
}

/** Systems differ; this fits all of them, with room for a process number after the name. */
const maxSocketPathLength = 100 - '.4294967296'.length;

export function planDaemonPaths(options: DaemonPathsOptions): DaemonPaths {
  const { platform, stateDir, config, version, door = 'daemon' } = options;
  const { join } = platform === 'win32' ? win32 : posix;
  const folder = join(stateDir, 'daemon');
  const key = createHash('sha256')
    .update(JSON.stringify([version, config, stateDir, ...(door === 'daemon' ? [] : [door])]))
    .digest('hex')
    .slice(0, 20);
  const isFile = platform !== 'win32';
  const socketFolder = isFile ? chooseSocketFolder(folder, key, options) : folder;
  return {
    folders: [...new Set([folder, socketFolder])],
    address: isFile ? join(socketFolder, key) : `\\\\.\\pipe\\mcp-workbench-${key}`,
    isFile,
    secretFile: join(folder, 'secret'),
    logFile: join(folder, `${key}.log`),
    startLock: join(folder, `${key}.start`),
    bindLock: join(folder, `${key}.bind`),
  };
}

/**
 * The path of a socket has a maximum length; where the state folder is too deep, a folder for sockets or a temporary folder is
 * used.
 */
function chooseSocketFolder(folder: string, key: string, { env, tempDir, uid }: DaemonPathsOptions): string {
  const runtime = env.XDG_RUNTIME_DIR;
  const own = uid === undefined ? 'mcp-workbench' : `mcp-workbench-${uid}`;
  const choices = [
    folder,
    ...(runtime !== undefined && posix.isAbsolute(runtime) ? [posix.join(runtime, 'mcp-workbench')] : []),
    posix.join(tempDir, own),
  ];
  const fits = (choice: string) => Buffer.byteLength(posix.join(choice, key)) <= maxSocketPathLength;
  return choices.find(fits) ?? posix.join('/tmp', own);
}

/** Whether one side of a connection can end while the other goes on. A named pipe of Windows ends as a whole. */
export function canHalfClose(platform: NodeJS.Platform): boolean {
  return platform !== 'win32';
}
