/** Parses the command line by the tables of commands and flags; every error names the nearest correct word. */
import { nearestNames, toOwnCommand, toOwnName, WorkbenchError } from '../../index.ts';
import { type CommandName, commandNames, flagsOf, getCommand } from './command-table.ts';
import { type FlagName, flagTable, getFlag } from './flag-table.ts';

export interface Args {
  /** Undefined when no command was given. */
  readonly command: CommandName | undefined;
  /** The words after the command that are not flags. */
  readonly positionals: readonly string[];
  has(flag: FlagName): boolean;
  /** The value of a flag; undefined when the flag is missing or has no value. */
  text(flag: FlagName): string | undefined;
  /** All values of a flag that may be repeated. */
  all(flag: FlagName): readonly string[];
}

const flagNames = Object.keys(flagTable) as FlagName[];
const flagByWord = new Map<string, FlagName>(
  flagNames.flatMap((name) => {
    const { short } = getFlag(name);
    return short === undefined
      ? [[`--${name}`, name]]
      : [
          [`--${name}`, name],
          [`-${short}`, name],
        ];
  }),
);
const commandByWord = new Map<string, CommandName>(
  commandNames.flatMap((name) => [name, ...(getCommand(name).aliases ?? [])].map((word) => [word, name] as const)),
);

export function parseArgs(argv: readonly string[]): Args {
  const { words, flags } = splitFlags(argv);
  const [first, ...positionals] = words;
  const command = first === undefined ? undefined : resolveCommandName(first);
  const args: Args = {
    command,
    positionals,
    has: (flag) => flags.has(flag),
    text: (flag) => {
      const value = flags.get(flag)?.at(-1);
      return value === true ? undefined : value;
    },
    all: (flag) => (flags.get(flag) ?? []).filter((value) => value !== true),
  };
  const onlyInforms = args.has('help') || (args.has('version') && args.text('version') === undefined);
  if (!onlyInforms) checkFit(args, [...flags.keys()]);
  return args;
}

/** Whether errors should be JSON, answerable even for a command line that cannot be parsed. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}

function splitFlags(argv: readonly string[]): { words: string[]; flags: Map<FlagName, (string | true)[]> } {
  const words: string[] = [];
  const flags = new Map<FlagName, (string | true)[]>();
  for (let at = 0; at < argv.length; at++) {
    const token = argv[at] ?? '';
    if (token === '--') {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (token === '-' || !token.startsWith('-')) {
      words.push(token);
      continue;
    }
    const equals = token.startsWith('--') ? token.indexOf('=') : -1;
    const word = equals < 0 ? token : token.slice(0, equals);
    const name = flagByWord.get(word);
    if (name === undefined) throw unknownFlag(word);
    const inline = equals < 0 ? undefined : token.slice(equals + 1);
    const value = inline ?? findValue(name, argv[at + 1]);
    if (inline === undefined && value !== undefined) at++;
    flags.set(name, [...(flags.get(name) ?? []), checkValue(name, value)]);
  }
  return { words, flags };
}

/** The next token, when it is the value of this flag and not a word of its own. */
function findValue(name: FlagName, next: string | undefined): string | undefined {
  const { value, valueOptional } = getFlag(name);
  if (value === undefined || next === undefined || flagByWord.has(next)) return undefined;
  if (valueOptional && (next.startsWith('-') || commandByWord.has(next))) return undefined;
  return next;
}

function checkValue(name: FlagName, given: string | undefined): string | true {
  const { value, valueOptional, choices } = getFlag(name);
  if (value === undefined) {
    if (given === undefined) return true;
    throw new WorkbenchError('WB1901', `--${name} takes no value.`, { fix: `Write only --${name}.` });
  }
  if (given === undefined) {
    if (valueOptional) return true;
    throw new WorkbenchError('WB1901', `--${name} needs a value.`, {
      fix: `Write --${name} ${value} or --${name}=${value}.`,
    });
  }
  if (choices !== undefined && !choices.includes(given)) {
    throw new WorkbenchError('WB1901', `--${name}: "${given}" is not a possible value.`, {
      fix: `Use one of: ${choices.join(', ')}.`,
    });
  }
  return given;
}

/** Finds a command by its name or an alias; throws with the nearest name. */
export function resolveCommandName(word: string): CommandName {
  const command = commandByWord.get(word);
  if (command !== undefined) return command;
  const near = nearestNames(word, commandByWord.keys(), 1).map((name) => commandByWord.get(name) ?? name);
  throw new WorkbenchError('WB1901', `"${word}" is not a command.`, {
    fix: near[0] === undefined ? `Commands: ${commandNames.join(', ')}.` : `Did you mean: ${toOwnCommand([near[0]])}`,
  });
}

function unknownFlag(word: string): WorkbenchError {
  const candidates = flagNames.map((name) => `--${name}`);
  const [near] = word.startsWith('--') ? nearestNames(word, candidates, 1) : [];
  return new WorkbenchError('WB1901', `"${word}" is not a flag.`, {
    fix: near === undefined ? `See ${toOwnCommand(['--help'])}` : `Did you mean: ${near}`,
  });
}

function checkFit({ command, positionals }: Args, flags: readonly FlagName[]): void {
  const allowed = flagsOf(command);
  const shown = command ?? 'serve';
  const misplaced = flags.find((flag) => !allowed.includes(flag));
  if (misplaced !== undefined) {
    const owners = commandNames.filter((name) => flagsOf(name).includes(misplaced));
    throw new WorkbenchError('WB1901', `${shown} does not have a flag --${misplaced}.`, {
      fix: `It belongs to: ${owners.join(', ')}. See ${toOwnCommand([shown, '--help'])}`,
    });
  }
  const { usage, positionals: count } = getCommand(shown);
  const toLine = () => `${toOwnName()} ${shown} ${usage}`.trimEnd();
  if (positionals.length < count.min) {
    throw new WorkbenchError('WB1901', `${shown}: an argument is missing.`, { fix: `Write: ${toLine()}` });
  }
  if (positionals.length > count.max) {
    const extra = positionals[count.max] ?? '';
    throw new WorkbenchError('WB1901', `${shown} does not take "${extra}".`, { fix: `Write: ${toLine()}` });
  }
}
