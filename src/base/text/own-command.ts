/**
 * Command lines of this program, for hints that can be pasted as they are. The name of the program and its configuration are
 * facts of the process: the command line states them once, and a program that uses the library gets the plain name.
 */
import { quoteWord } from './quote-word.ts';

export interface OwnProgram {
  /** The words that start the program; asked for when the first hint is made. */
  program(): readonly string[];
  /** The configuration file, where a search would find another one. */
  readonly config?: string | undefined;
  readonly platform: NodeJS.Platform;
}

const plainName = 'mcp-workbench';

let own: OwnProgram = { program: () => [plainName], platform: process.platform };

export function stateOwnProgram(stated: Partial<OwnProgram>): void {
  own = { ...own, ...stated };
}

/** The commands that read a configuration. */
export const configured: readonly string[] = [
  'serve',
  'attach',
  'daemon',
  'list',
  'tools',
  'search',
  'tokens',
  'call',
  'check',
  'config',
  'auth',
];

/** `words` are ours, `names` come from outside. */
export function toOwnCommand(words: readonly string[], names: readonly string[] = []): string {
  return toCommandLine(own, words, names);
}

/** The words that start the program, without a command. */
export function toOwnName(): string {
  return toCommandLine(own, [], []);
}

export function toCommandLine(
  { program, config, platform }: OwnProgram,
  words: readonly string[],
  names: readonly string[],
): string {
  const file = config === undefined || !configured.includes(words[0] ?? '') ? [] : ['--config', config];
  // After this word, a name that looks like a flag is not taken for one.
  const end = names.some((name) => name.startsWith('-')) ? ['--'] : [];
  const line = [...program(), ...words, ...file, ...end, ...names].flatMap((word) => quoteWord(word, platform) ?? []);
  // PowerShell takes a program in quotes for a string.
  const call = platform === 'win32' && line[0]?.startsWith('"') ? ['&'] : [];
  return [...call, ...line].join(' ');
}

const generalCommand = /mcp-workbench((?: (?:--)?[a-z]+| <server>)+)/g;

/** A text of ours with its general commands (`mcp-workbench check <server>`) filled in for this case. */
export function fillCommands(text: string, server: string | undefined): string {
  return text.replace(generalCommand, (_, rest: string) => {
    const words = rest.trim().split(' ');
    return toOwnCommand(
      words.filter((word) => word !== '<server>'),
      words.includes('<server>') && server !== undefined ? [server] : [],
    );
  });
}
