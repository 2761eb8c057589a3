/**
 * Everything that can go wrong, as a closed table: one code, what it means, what to do, how a command exits.
 * The reference page is generated from this table and a test holds both together.
 */

export const exitCode = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  signInNeeded: 3,
  unreachable: 4,
  toolFailed: 5,
  approvalPending: 6,
  inUse: 7,
  interrupted: 130,
} as const;

export interface ErrorEntry {
  readonly title: string;
  /** What it means and why it happens. */
  readonly meaning: string;
  /** The safest thing to do first. */
  readonly fix: string;
  readonly exit: (typeof exitCode)[keyof typeof exitCode];
}

export const errorTable = {
  WB1001: {
    title: 'command not found',
    meaning:
      'The command of a server was not found on the PATH, on the PATH of your login shell, or where version managers put programs. Programs started from a desktop often have a shorter PATH than your terminal.',
    fix: 'Install the program, or write its absolute path as "command".',
    exit: exitCode.unreachable,
  },
  WB1002: {
    title: 'command cannot be executed',
    meaning:
      'The file named by "command" exists, but the system refuses to run it, or "cwd" is not a folder that can be entered.',
    fix: 'Check the permissions of the file (chmod +x) and that "cwd" exists.',
    exit: exitCode.unreachable,
  },
  WB1004: {
    title: 'server exited before the handshake',
    meaning:
      'The process ended before it answered. Its last lines on stderr usually say why: a missing variable, a wrong argument, a package that cannot be found.',
    fix: 'Read the quoted lines, run the command by hand, then: mcp-workbench check <server>.',
    exit: exitCode.unreachable,
  },
  WB1005: {
    title: 'server did not start in time',
    meaning:
      'The process runs but did not answer the handshake within startTimeoutMs. A first start with npx or uvx downloads the package and can take a minute.',
    fix: 'Try again once the download is done, or raise "startTimeoutMs" of this server.',
    exit: exitCode.unreachable,
  },
  WB1006: {
    title: 'text on stdout that is no message',
    meaning:
      'A server printed something on stdout that is not JSON-RPC. The line was skipped and the server goes on working.',
    fix: 'Make the server log to stderr; many take a quiet option or variable.',
    exit: exitCode.ok,
  },
  WB1007: {
    title: 'server refused the handshake',
    meaning: 'The process answers JSON-RPC but accepts neither server/discover nor initialize.',
    fix: 'Check that the command starts an MCP server on stdio.',
    exit: exitCode.unreachable,
  },
  WB1008: {
    title: 'no protocol version in common',
    meaning: 'The server speaks only protocol versions that the Workbench does not know.',
    fix: 'Update mcp-workbench, or the server.',
    exit: exitCode.unreachable,
  },
  WB1009: {
    title: 'Node.js is too old',
    meaning: 'The Workbench needs Node.js 20.19 or newer.',
    fix: 'Install a current Node.js and make sure that the client finds that one.',
    exit: exitCode.unexpected,
  },
  WB1010: {
    title: 'server ended during a call',
    meaning:
      'The process exited, or its pipe broke, while a call was under way. Whether the call had its effect is unknown.',
    fix: 'Check what the call did before repeating it. The server is started again by the next call.',
    exit: exitCode.unreachable,
  },
  WB1011: {
    title: 'call took too long',
    meaning: 'No answer and no progress within timeoutMs; the call was cancelled.',
    fix: 'Ask for less at once, or raise "timeoutMs" of this server.',
    exit: exitCode.toolFailed,
  },
  WB1012: {
    title: 'message too large',
    meaning: 'A message was larger than the limit of 64 MiB and was thrown away.',
    fix: 'Ask for a smaller part of the data.',
    exit: exitCode.toolFailed,
  },
  WB1013: {
    title: 'transport not available',
    meaning:
      'This version starts servers as local processes only; a server with a "url" is listed but cannot be reached yet.',
    fix: 'Use a bridge such as "npx -y mcp-remote <url>" as the command, or disable the server.',
    exit: exitCode.unreachable,
  },
  WB1014: {
    title: 'list could not be read',
    meaning:
      'The server is connected but its list of tools failed, came in too many pages or repeated a cursor. What arrived before that is used.',
    fix: 'Look at the log of the server; restart it or report the fault to its maker.',
    exit: exitCode.unreachable,
  },
  WB1015: {
    title: 'malformed tool dropped',
    meaning:
      'One entry of a tool list is not a valid tool (no name, or no input schema of type object). It is left out; the others are served.',
    fix: 'Report the fault to the maker of the server.',
    exit: exitCode.ok,
  },
  WB1016: {
    title: 'server is disabled',
    meaning: 'The configuration says "disabled": true for this server.',
    fix: 'Remove "disabled" from its entry.',
    exit: exitCode.unreachable,
  },
  WB1102: {
    title: 'variable is not set',
    meaning:
      'The configuration uses ${NAME} and nothing provides NAME. Clients started from a desktop do not read your shell profile.',
    fix: 'Set the variable where the client is started, put it into an "envFile", or give a default: ${NAME:-value}.',
    exit: exitCode.usage,
  },
  WB1104: {
    title: 'envFile cannot be read',
    meaning: 'The file named by "envFile" is missing, unreadable, or has a line that is not NAME=value.',
    fix: 'Correct the path (relative to the configuration file) or the line.',
    exit: exitCode.usage,
  },
  WB1401: {
    title: 'unknown key',
    meaning: 'A key of the configuration is not known and is close to one that is: most likely a typing mistake.',
    fix: 'Use the suggested key.',
    exit: exitCode.usage,
  },
  WB1402: {
    title: 'key of another client',
    meaning:
      'The configuration has the shape, or a key, of another client. It was understood as far as possible, the rest is ignored.',
    fix: 'Nothing to do; remove the key to silence the note.',
    exit: exitCode.ok,
  },
  WB1403: {
    title: 'configuration is not JSON',
    meaning: 'The file cannot be parsed. Comments and trailing commas are allowed.',
    fix: 'Correct the marked place.',
    exit: exitCode.usage,
  },
  WB1405: {
    title: 'wrong value',
    meaning: 'A key of the configuration has a value of the wrong type or outside what is allowed.',
    fix: 'Correct the marked place; docs/reference/config.md lists every key.',
    exit: exitCode.usage,
  },
  WB1406: {
    title: 'name not allowed',
    meaning:
      'Names of toolboxes and of their servers consist of letters, digits, "-" and "_" and do not contain the separator "__".',
    fix: 'Rename it as suggested.',
    exit: exitCode.usage,
  },
  WB1407: {
    title: 'no configuration',
    meaning: 'The configuration file that was named does not exist or cannot be read, or none was found.',
    fix: 'Create workbench-config.json, or name a file with --config or WORKBENCH_CONFIG.',
    exit: exitCode.usage,
  },
  WB1408: {
    title: 'unknown server in a toolbox',
    meaning: 'A toolbox names a server that is not in "mcpServers".',
    fix: 'Add the server to "mcpServers", or correct the name.',
    exit: exitCode.usage,
  },
  WB1409: {
    title: 'separator not allowed',
    meaning: 'The separator between server and tool must not be empty and must not contain white space.',
    fix: 'Choose another one, for example "__".',
    exit: exitCode.usage,
  },
  WB1701: {
    title: 'two tools under one public name',
    meaning:
      'Two tools would be shown under the same public name. Neither is shown, so that no call can reach the wrong one.',
    fix: 'Rename one of the servers, filter one of the tools away, or remove "prefix": false.',
    exit: exitCode.ok,
  },
  WB1702: {
    title: 'separator outside the recommended characters',
    meaning: 'Some clients refuse tool names with characters other than letters, digits, "_", "-" and ".".',
    fix: 'If tools are missing in your client, use --separator __ or set "safeNames": true.',
    exit: exitCode.ok,
  },
  WB1801: {
    title: 'toolbox not found',
    meaning: 'No toolbox of that name is configured.',
    fix: 'Use one of the names in the message.',
    exit: exitCode.toolFailed,
  },
  WB1802: {
    title: 'server not found',
    meaning: 'No server of that name is in the toolbox.',
    fix: 'Use one of the names in the message.',
    exit: exitCode.toolFailed,
  },
  WB1803: {
    title: 'tool not found',
    meaning: 'The server offers no tool of that name, or the filters of the toolbox leave it out.',
    fix: 'Use one of the names in the message, or list them: mcp-workbench tools.',
    exit: exitCode.toolFailed,
  },
  WB1805: {
    title: 'tool answered with an error',
    meaning: 'The call reached the tool and the tool reports a failure.',
    fix: 'Read the answer; it comes from the tool.',
    exit: exitCode.toolFailed,
  },
  WB1901: {
    title: 'wrong usage',
    meaning: 'A command, flag or argument is not known or is missing.',
    fix: 'See mcp-workbench --help.',
    exit: exitCode.usage,
  },
  WB1999: {
    title: 'unexpected failure',
    meaning: 'A fault of the Workbench itself.',
    fix: 'Run again with --debug and report what it prints.',
    exit: exitCode.unexpected,
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** A failure of ours, with its code. `message` is for the one who must act and never holds a secret. */
export class WorkbenchError extends Error {
  readonly code: ErrorCode;
  /** What to do in this very case, when the table's general advice can be bettered. */
  readonly fix: string;

  constructor(code: ErrorCode, message: string, options: { fix?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorkbenchError';
    this.code = code;
    this.fix = options.fix ?? errorTable[code].fix;
  }
}

/** What to say of a failure of any kind, in one line. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
