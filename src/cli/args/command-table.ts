/** Every command, once: the parser, the help texts and the reference page are made from this table and that of the flags. */
import type { FlagName } from './flag-table.ts';

export interface CommandSpec {
  /** The arguments after the name, as the help shows them. */
  readonly usage: string;
  readonly positionals: { readonly min: number; readonly max: number };
  readonly about: string;
  readonly details?: readonly string[];
  /** In addition to the flags of every command. */
  readonly flags: readonly FlagName[];
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** Aliases that are accepted but not advertised. */
  readonly aliases?: readonly string[];
}

export const everywhere: readonly FlagName[] = ['debug', 'quiet', 'no-color', 'help'];
const configured: readonly FlagName[] = ['config', 'trust-config', 'mode', 'separator', 'log-file'];
const overHttp: readonly FlagName[] = [
  ...(['http', 'host', 'stdio', 'token', 'token-file', 'no-auth', 'sse', 'allow-host', 'allow-origin'] as const),
];
const anyNumber = Number.POSITIVE_INFINITY;

export const commandTable = {
  serve: {
    usage: '',
    positionals: { min: 0, max: 0 },
    about: 'be an MCP server on stdin and stdout (what clients start), or over HTTP',
    details: [
      'This is also what happens without a command when stdin is not a terminal.',
      'Changes of the configuration file take effect while it runs; SIGHUP has it read at once.',
    ],
    flags: [...configured, 'client', 'no-watch', 'name', 'version', ...overHttp],
    examples: [
      ['mcp-workbench serve --config workbench.jsonc', 'what an entry in a client runs'],
      ['mcp-workbench serve --http', 'one service for many clients, at http://127.0.0.1:3917/mcp'],
    ],
    aliases: ['run'],
  },
  attach: {
    usage: '',
    positionals: { min: 0, max: 0 },
    about: 'like serve on stdin and stdout, but share one set of servers with other clients',
    details: [
      'Passes everything on to the daemon of this configuration, and starts the daemon when none is running.',
      'When it cannot share a daemon (different variables, no safe folder), it serves the client itself and says why.',
    ],
    flags: ['config', 'trust-config', 'mode', 'separator', 'client', 'name', 'version', 'idle-ms'],
    examples: [
      ['mcp-workbench attach --config workbench.jsonc', 'what an entry in each of several clients runs'],
      ['mcp-workbench attach --mode flat', 'another mode for this client, on the same servers'],
      ['mcp-workbench attach --client cursor', 'what fits Cursor, in a file with "mode": "auto"'],
    ],
  },
  daemon: {
    usage: '',
    positionals: { min: 0, max: 0 },
    about: 'run the servers for all clients that attach; usually started by the first of them',
    details: [
      'There is one daemon for each configuration file and version. It ends when no client has been attached for a while.',
    ],
    flags: ['config', 'trust-config', 'idle-ms', 'no-watch', 'status', 'stop', 'json'],
    examples: [
      ['mcp-workbench daemon', 'in the foreground'],
      ['mcp-workbench daemon --status', 'whether one is running, and how many clients it has'],
      ['mcp-workbench daemon --stop', 'end it and its servers'],
    ],
  },
  list: {
    usage: '',
    positionals: { min: 0, max: 0 },
    about: 'show how each server is doing',
    details: [
      'Asks the daemon or the HTTP service of this configuration when one runs. Otherwise shows a server as an earlier run has stored it (known), and starts it when nothing is stored.',
    ],
    flags: [...configured, 'fresh', 'json', 'exit-code'],
    examples: [
      ['mcp-workbench list', 'a table'],
      ['mcp-workbench list --fresh', 'every server started now'],
      ['mcp-workbench list --json --exit-code', 'for scripts: exit 4 when something is unreachable'],
    ],
    aliases: ['ls'],
  },
  tools: {
    usage: '[server|@toolbox|server.tool]',
    positionals: { min: 0, max: 1 },
    about: 'show the tools as signatures, of all servers, one server or one toolbox; or one tool whole',
    details: [
      'Asks the daemon or the HTTP service of this configuration when one runs, otherwise shows what an earlier run has stored; starts only servers of which nothing is stored.',
    ],
    flags: [...configured, 'fresh', 'renamed', 'json'],
    examples: [
      ['mcp-workbench tools github', 'the tools of one server'],
      ['mcp-workbench tools --renamed', 'what "tools" and "instances" in the configuration change'],
      [
        'mcp-workbench tools github.search',
        'one tool with all its parameters; its name is enough when no other tool has it',
      ],
      ['mcp-workbench tools @writing --json', 'complete definitions of one toolbox'],
    ],
    aliases: ['list-tools'],
  },
  call: {
    usage: '<tool|server.tool|toolbox/server/tool> [key=value …]',
    positionals: { min: 1, max: anyNumber },
    about: 'call one tool and print its answer',
    details: [
      'Goes through the daemon or the HTTP service of this configuration when one runs, so that servers keep their state; otherwise the server is started for this call alone. The name of the tool is enough when only one server has it.',
      'key=value   a string, or JSON where the tool wants a number, boolean, list or object',
      'key:=JSON   always JSON',
      'key=@file   the text of a file',
    ],
    flags: [...configured, 'fresh', 'args', 'save', 'json', 'timeout'],
    examples: [
      ['mcp-workbench call files.read_file path=README.md', 'arguments as words'],
      [`mcp-workbench call files.read_file --args '{"path":"README.md"}'`, 'arguments as JSON'],
      ['mcp-workbench call writing/notes/add_note text=@note.txt', 'the complete address, a value from a file'],
      ['mcp-workbench call screenshot --save shots', 'a name that only one server has; the picture goes into a file'],
    ],
  },
  check: {
    usage: '[server]',
    positionals: { min: 0, max: 1 },
    about: 'check the configuration and every server, step by step, with what to do',
    details: [
      'When the daemon or the HTTP service of this configuration runs, check shows its servers as they are there, and has those started that are not running yet.',
    ],
    flags: [...configured, 'client', 'fresh', 'json'],
    examples: [
      ['mcp-workbench check', 'everything'],
      ['mcp-workbench check --client gemini-cli', 'also what this client is shown, schema by schema'],
      ['mcp-workbench check --fresh', 'everything, with every server started for the check'],
      ['mcp-workbench check github', 'one server'],
    ],
    aliases: ['doctor'],
  },
  config: {
    usage: '<validate>',
    positionals: { min: 1, max: 1 },
    about: 'check the configuration file only: show every mistake with line and column, and start nothing',
    details: ['Exits with 2 when anything in the file is wrong, even if serve would leave that part out and go on.'],
    flags: ['config', 'mode', 'separator', 'json'],
    examples: [
      ['mcp-workbench config validate', 'for people, and before a commit'],
      ['mcp-workbench config validate --json', 'for scripts and editors'],
    ],
  },
  auth: {
    usage: '<login|logout|status> [server]',
    positionals: { min: 1, max: 2 },
    about: 'sign in to a server with a "url", sign out, or show the sign-ins',
    flags: ['config', 'trust-config', 'no-browser', 'json'],
    examples: [
      ['mcp-workbench auth login github', 'opens a browser'],
      ['mcp-workbench auth login github --no-browser', 'on a machine without a browser'],
      ['mcp-workbench auth status', 'all servers'],
      ['mcp-workbench auth logout github', 'revokes the tokens and removes them'],
    ],
  },
  ps: {
    usage: '',
    positionals: { min: 0, max: 0 },
    about: 'show the Workbenches that run now, with the servers they have started',
    flags: ['json'],
    examples: [
      ['mcp-workbench ps', 'a table'],
      ['mcp-workbench ps --json', 'for scripts'],
    ],
  },
  stop: {
    usage: '[pid|all]',
    positionals: { min: 0, max: 1 },
    about: 'end a running Workbench and its servers, or one of its servers',
    details: [
      'Without a number: the only one that runs. It is asked to end and has 15 seconds; what still runs then is killed.',
      'A process is ended only when the system confirms that it is the one that was started.',
    ],
    flags: ['server', 'json'],
    examples: [
      ['mcp-workbench stop', 'the only one'],
      ['mcp-workbench stop 4711', 'the one with this number in mcp-workbench ps'],
      ['mcp-workbench stop all', 'all of them'],
      ['mcp-workbench stop --server github', 'one server; the Workbench starts it again'],
    ],
  },
  demo: {
    usage: '',
    positionals: { min: 0, max: 0 },
    about: 'serve a small built-in configuration, make one call through it, and show how to connect a client',
    flags: [],
    examples: [['mcp-workbench demo', 'nothing is written, nothing leaves this machine']],
  },
  help: {
    usage: '[command]',
    positionals: { min: 0, max: 1 },
    about: 'explain the program or one command',
    flags: [],
    examples: [['mcp-workbench help call', 'the same as mcp-workbench call --help']],
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as CommandName[];

export function getCommand(name: CommandName): CommandSpec {
  return commandTable[name];
}

/** Without a command the program serves a pipe, so it takes the flags of `serve`. */
export function flagsOf(name: CommandName | undefined): FlagName[] {
  return [...getCommand(name ?? 'serve').flags, ...everywhere];
}
