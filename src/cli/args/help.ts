/** Turns the tables of commands and flags into help texts and the reference page. */
import { toMarkdownTable } from '../../base/text/markdown-table.ts';
import { exitCode } from '../../index.ts';
import { wrapIndented, wrapText } from '../output/wrap-text.ts';
import { type CommandName, commandNames, everywhere, flagsOf, getCommand } from './command-table.ts';
import { type FlagName, flagTable, getFlag } from './flag-table.ts';

const headline = 'one MCP server in front of all your MCP servers';

/** Longer lines are hard to read, even where the terminal is wider. */
const widest = 120;

export function toGeneralHelp(version: string, width = widest): string {
  const toColumns = columnsWithin(width);
  return [
    `mcp-workbench ${version} – ${headline}`,
    '',
    'Usage',
    ...toColumns([
      ['mcp-workbench [flags]', 'stdin is a pipe: serve it; in a terminal: show what is configured'],
      ['mcp-workbench <command> …', 'one of these:'],
    ]),
    '',
    'Commands',
    ...toColumns(commandNames.map((name) => [`${name} ${getCommand(name).usage}`.trimEnd(), getCommand(name).about])),
    '',
    'Flags',
    ...toColumns(flagsOf('serve').map(toFlagRow)),
    '',
    ...wrapText('More about one command: mcp-workbench <command> --help', Math.min(width, widest)),
    '',
  ].join('\n');
}

export function toCommandHelp(name: CommandName, width = widest): string {
  const { usage, about, details = [], flags, examples } = getCommand(name);
  const toColumns = columnsWithin(width);
  return [
    `mcp-workbench ${name} ${usage}`.trimEnd(),
    ...[about, ...details].flatMap((text) => wrapDetail(text, '  ', Math.min(width, widest))),
    '',
    ...(flags.length === 0 ? [] : ['Flags', ...toColumns(flags.map(toFlagRow)), '']),
    'Flags of every command',
    ...toColumns(everywhere.map(toFlagRow)),
    '',
    'Examples',
    ...examples.flatMap(([command, what]) => [
      `  ${command}`,
      ...wrapIndented(what, '      ', Math.min(width, widest)),
    ]),
    '',
  ].join('\n');
}

/** A word followed by two spaces is aligned in front of its explanation on all lines. */
function wrapDetail(text: string, indent: string, width: number): string[] {
  const [word = ''] = /^\S+ {2,}/.exec(text) ?? [];
  const [first = '', ...rest] = wrapText(text.slice(word.length), width - indent.length - word.length);
  return [`${indent}${word}${first}`, ...rest.map((line) => `${indent}${' '.repeat(word.length)}${line}`)];
}

const exitMeanings: Record<keyof typeof exitCode, string> = {
  ok: 'done',
  unexpected: 'a fault of the program itself',
  usage: 'wrong usage or an invalid configuration',
  signInNeeded: 'a server needs you to sign in',
  unreachable: 'a server cannot be reached',
  toolFailed: 'the tool failed or was not found',
  inUse: 'a port or a lock is in use',
  interrupted: 'interrupted with Ctrl-C',
};

/** The text of docs/reference/cli.md. */
export function toCliReference(): string {
  const exits = Object.entries(exitCode) as [keyof typeof exitCode, number][];
  return [
    '# Command line',
    '',
    '<!-- Generated from the tables of src/cli; do not edit. -->',
    '',
    `\`mcp-workbench\` is ${headline}. Without a command it serves its stdin when that is a pipe, and shows what is configured when it is a terminal.`,
    '',
    'A flag takes its value as `--flag value` or `--flag=value`; `--` ends the flags. Results go to stdout, progress, notes and logs to stderr.',
    '',
    '## Commands',
    '',
    ...table(
      ['command', 'what it does'],
      commandNames.map((name) => [`[${name}](#${name})`, getCommand(name).about]),
    ),
    ...commandNames.flatMap(toCommandSection),
    '## Flags',
    '',
    ...table(
      ['flag', 'meaning', 'commands'],
      (Object.keys(flagTable) as FlagName[]).map((flag) => [
        code(toFlagText(flag)),
        getFlag(flag).about,
        everywhere.includes(flag) ? 'all' : commandNames.filter((name) => flagsOf(name).includes(flag)).join(', '),
      ]),
    ),
    '## Exit codes',
    '',
    ...table(
      ['code', 'meaning'],
      exits.map(([name, value]) => [String(value), exitMeanings[name]]),
    ),
    '## Environment',
    '',
    ...table(
      ['variable', 'effect'],
      [
        ['`WORKBENCH_CONFIG`', 'the configuration file, unless `--config` names one'],
        [
          '`WORKBENCH_TRUST_CONFIG`',
          '`1`: also use a configuration that other users can change, as `--trust-config` does',
        ],
        ['`WORKBENCH_STATE`', 'the folder for files that are kept between runs'],
        ['`NO_COLOR`', 'no colours'],
        ['`FORCE_COLOR`', 'colours even where stdout is not a terminal; `0` for none'],
        ['`CI`', 'no colours, unless `FORCE_COLOR` asks for them'],
      ],
    ),
  ].join('\n');
}

function toCommandSection(name: CommandName): string[] {
  const { usage, about, details = [], flags, examples } = getCommand(name);
  return [
    `### ${name}`,
    '',
    ['```', `mcp-workbench ${name} ${usage}`.trimEnd(), '```'].join('\n'),
    '',
    `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    '',
    ...(details.length === 0 ? [] : ['```text', ...details.flatMap((text) => wrapDetail(text, '', widest)), '```', '']),
    ...(flags.length === 0 ? [] : [`Flags: ${flags.map((flag) => code(`--${flag}`)).join(', ')}.`, '']),
    '```sh',
    ...examples.flatMap(([command, what]) => [`# ${what}`, command]),
    '```',
    '',
  ];
}

function toFlagText(name: FlagName): string {
  const { short, value, valueOptional } = getFlag(name);
  const shown = value === undefined ? '' : valueOptional ? ` [${value}]` : ` ${value}`;
  return `${short === undefined ? '' : `-${short}, `}--${name}${shown}`;
}

function toFlagRow(name: FlagName): [string, string] {
  return [toFlagText(name), getFlag(name).about];
}

type ColumnRow = readonly [left: string, right: string];

/** When less than this is left beside the first column, the second column begins below it. */
const narrowest = 24;

/** Two columns within a width; a left side that is too long for its column gets its own line. */
function columnsWithin(width: number): (rows: readonly ColumnRow[]) => string[] {
  const most = 26;
  return (rows) => {
    const left = Math.min(most, Math.max(...rows.map(([word]) => word.length)));
    const all = Math.min(width, widest);
    const narrow = all - left - 4 < narrowest;
    const indent = narrow ? '      ' : ' '.repeat(left + 4);
    return rows.flatMap(([word, right]) => {
      const lines = wrapIndented(right, indent, all);
      if (narrow || word.length > left) return [`  ${word}`, ...lines];
      const [first = '', ...rest] = lines;
      return [`  ${word.padEnd(left)}  ${first.trimStart()}`, ...rest];
    });
  };
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [...toMarkdownTable(titles, rows), ''];
}

function code(text: string): string {
  return `\`${text}\``;
}
