/**
 * Command lines of this program, for hints that can be pasted as they stand. How the program is called and which configuration it
 * uses are facts of the process: the command line states them once, and who uses the library without it gets the plain name.
 */
import { quoteWord } from './quote-word.ts';

export interface OwnProgram {
  /** What is typed to start it; asked for when the first hint is made. */
  program(): readonly string[];
  /** The configuration file, where one that is found by itself may be another. */
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
  'call',
  'check',
  'config',
  'auth',
];

/** `words` are ours, `names` come from anywhere. */
export function toOwnCommand(words: readonly string[], names: readonly string[] = []): string {
  return toCommandLine(own, words, names);
}

/** The program as it is called, without a command. */
export function toOwnName(): string {
  return toCommandLine(own, [], []);
}

export function toCommandLine(
  { program, config, platform }: OwnProgram,
  words: readonly string[],
  names: readonly string[],
): string {
  const file = config === undefined || !configured.includes(words[0] ?? '') ? [] : ['--config', config];
  // A name that looks like a flag is none behind this.
  const end = names.some((name) => name.startsWith('-')) ? ['--'] : [];
  const line = [...program(), ...words, ...file, ...end, ...names].flatMap((word) => quoteWord(word, platform) ?? []);
  // PowerShell takes a program in quotes for a text.
  const call = platform === 'win32' && line[0]?.startsWith('"') ? ['&'] : [];
  return [...call, ...line].join(' ');
}

const generalCommand = /mcp-workbench((?: (?:--)?[a-z]+| <server>)+)/g;

/** A text of ours with its general commands (`mcp-workbench check <server>`) as they are in this very case. */
export function fillCommands(text: string, server: string | undefined): string {
  return text.replace(generalCommand, (_, rest: string) => {
    const words = rest.trim().split(' ');
    return toOwnCommand(
      words.filter((word) => word !== '<server>'),
      words.includes('<server>') && server !== undefined ? [server] : [],
    );
  });
}
