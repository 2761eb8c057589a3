/**
 * Recognises a command that starts this very program, as far as its words tell: by its file (links followed), by its name where a
 * program is named, through a package runner, in a shell line, or behind another program that starts what it is given.
 */
import type { StdioTransport } from '../../config/model/config.ts';
import { pathsOf, resolvePath } from '../../config/source/resolve-path.ts';

export interface ProgramLookup {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The PATH that the server will get. */
  readonly path: string;
  /** The file that a path leads to, links followed; undefined when there is no such file. */
  findFile(path: string): string | undefined;
}

export interface OwnEntry {
  /** Absolute path of the configuration that it is told to use; undefined when it has to look for one. */
  readonly config: string | undefined;
}

const ownName = 'mcp-workbench';
/** A file with one of these extensions is a program; other files of that name are logs, notes or settings. */
const programEndings = new Set(['', '.cjs', '.js', '.mjs', '.cmd', '.bat', '.ps1', '.exe']);
/** These programs start what is named behind them. */
const launchers = new Set([
  ...['npx', 'npm', 'pnpx', 'pnpm', 'yarn', 'bunx', 'bun', 'exec', 'dlx', 'x', 'deno', 'node', 'nodejs', 'tsx'],
  ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'cmd', 'powershell', 'pwsh', 'call', 'start'],
  ...['env', 'nohup', 'nice', 'time', 'timeout', 'setsid', 'stdbuf', 'sudo', 'doas', 'command', 'caffeinate'],
]);

export function findOwnEntry(transport: StdioTransport, lookup: ProgramLookup): OwnEntry | undefined {
  const { command, args, cwd } = transport;
  // Each argument may be a command line of its own.
  const lines = args.map((arg) => splitLine(arg));
  const words = [command, ...lines.flat()];
  const starts = new Set([0]);
  let at = 1;
  for (const line of lines) {
    if (line.length > 1) starts.add(at);
    at += line.length;
  }
  const ground = { ...lookup, dir: cwd };
  const found = words.findIndex(
    (word, index) =>
      isOwnFile(word, ground) ||
      (index === 0 && isOwnOnPath(word, lookup)) ||
      (isOwnName(word, lookup) && isStarted(words, index, starts)),
  );
  if (found < 0) return undefined;
  const named = findNamedConfig(words, found) ?? transport.env.WORKBENCH_CONFIG;
  return { config: named === undefined || named === '' ? undefined : resolvePath(named, ground) };
}

type Ground = ProgramLookup & { readonly dir: string };

function isOwnFile(word: string, ground: Ground): boolean {
  const { basename, extname } = pathsOf(ground.platform);
  const ending = extname(word).toLowerCase();
  // Only words that could be a program are looked for on the disk.
  if (word === '' || word.startsWith('-') || (!/[\\/]/.test(word) && ending === '')) return false;
  const file = ground.findFile(resolvePath(word, ground));
  return file !== undefined && [word, file].some((each) => isOwnName(basename(each), ground));
}

/** A link to this program under another name, looked up as the system does it. */
function isOwnOnPath(word: string, { platform, path, findFile }: ProgramLookup): boolean {
  if (/[\\/]/.test(word) || platform === 'win32') return false;
  const { basename, delimiter, isAbsolute, join } = pathsOf(platform);
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    const file = findFile(join(folder, word));
    if (file !== undefined) return isOwnName(basename(file), { platform });
  }
  return false;
}

/** The name, alone or with a version as package runners take it. */
function isOwnName(word: string, { platform }: Pick<ProgramLookup, 'platform'>): boolean {
  const { extname } = pathsOf(platform);
  const plain = (platform === 'win32' ? word.toLowerCase() : word).replace(/^npm:/, '');
  if (plain === ownName || plain.startsWith(`${ownName}@`)) return true;
  const ending = extname(plain);
  return programEndings.has(ending) && plain === `${ownName}${ending}`;
}

/** Whether the word at this place names a program that is started, not an argument of one. */
function isStarted(words: readonly string[], index: number, starts: ReadonlySet<number>): boolean {
  for (let at = index; at >= 0; at--) {
    if (at === 0 || (starts.has(at) && isCommandLine(words, index))) return true;
    const before = words[at - 1] ?? '';
    if (before === '--' || isLauncher(before) || isOperator(before)) return true;
    const isSkipped = /^(-|\/[a-z]$|\d+[smhd]?$|\w+=)/i.test(before);
    if (!isSkipped && !isPackageFlag(words[at - 2])) return false;
  }
  return false;
}

/** A text may begin with our name; a command line goes on with words that this program understands. */
function isCommandLine(words: readonly string[], index: number): boolean {
  return /^(serve|attach|daemon|--?[a-z].*)?$/.test(words[index + 1] ?? '');
}

function isLauncher(word: string): boolean {
  const name = word.split(/[\\/]/).at(-1) ?? '';
  return launchers.has(name.toLowerCase().replace(/\.(exe|cmd|bat)$/, ''));
}

function isPackageFlag(word: string | undefined): boolean {
  return word === '-p' || word === '--package';
}

function isOperator(word: string): boolean {
  return /^(&&?|\|\|?|;)$/.test(word);
}

/** Taken from its own arguments, else from a variable set in front of it. */
function findNamedConfig(words: readonly string[], own: number): string | undefined {
  for (let at = own + 1; at < words.length && !isOperator(words[at] ?? ''); at++) {
    const word = words[at] ?? '';
    if (word === '--config') return words[at + 1];
    if (word.startsWith('--config=')) return word.slice('--config='.length);
  }
  const prefix = 'WORKBENCH_CONFIG=';
  return words
    .slice(0, own)
    .findLast((word) => word.startsWith(prefix))
    ?.slice(prefix.length);
}

/** Splits nearly as a shell does: quotes keep words together, operators stand alone. An argument without blanks is one word. */
function splitLine(text: string): string[] {
  if (!/\s/.test(text) || text.length > maxLineLength) return [text];
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"';&|()])+|&&?|\|\|?|;/g) ?? [];
  return words.map((word) => word.replace(/["']/g, ''));
}

/** Command lines written by hand are not longer. */
const maxLineLength = 8_192;
