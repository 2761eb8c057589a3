/** Errors of the configuration and the values it uses. Part of the table in errors.ts. */
import { type ErrorEntry, exitCode } from './error-entry.ts';

export const configErrors = {
  WB1102: {
    title: 'variable is not set',
    meaning:
      'The configuration uses ${NAME}, and no variable of that name is set; or it takes a value from a file that cannot be read. Clients started from a desktop do not read your shell profile.',
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
    meaning: 'A key of the configuration is not known, but resembles a known one. It is most likely a typing mistake.',
    fix: 'Use the suggested key.',
    exit: exitCode.usage,
  },
  WB1402: {
    title: 'key of another client',
    meaning:
      'The configuration has the shape, a key, or a variable of another client. The Workbench read what it understands and ignored the rest.',
    fix: 'Nothing to do; remove the key to silence the note.',
    exit: exitCode.ok,
  },
  WB1403: {
    title: 'configuration is not valid JSON',
    meaning: 'The file cannot be parsed. Comments and trailing commas are allowed.',
    fix: 'Correct the marked place.',
    exit: exitCode.usage,
  },
  WB1405: {
    title: 'wrong value',
    meaning: 'A key of the configuration has a value of the wrong type, or a value that is not allowed.',
    fix: 'Correct the marked place; docs/reference/config.md lists every key.',
    exit: exitCode.usage,
  },
  WB1406: {
    title: 'name not allowed',
    meaning:
      'The name of a toolbox consists of letters, digits, "-" and "_". The name of a toolbox or of one of its servers must not be empty and must not contain the separator "__" or control characters.',
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
  WB1410: {
    title: 'part of the configuration is left out',
    meaning:
      'A server, a toolbox or a setting has a mistake. It is left out as a whole and named with its own code; everything else is served.',
    fix: 'Correct what the message names. To see every mistake with its line and column: mcp-workbench config validate',
    exit: exitCode.usage,
  },
  WB1412: {
    title: 'restriction of another client is not enforced',
    meaning:
      'A key of another client restricts the server there, for example with a sandbox or with approvals of single tools. The Workbench does not enforce it, so the server runs without the restriction.',
    fix: 'Restrict the server in another way ("toolFilters", or a command that confines it), or remove the key.',
    exit: exitCode.ok,
  },
  WB1413: {
    title: 'others can change the configuration',
    meaning:
      'The configuration says which commands are run. The file, its folder, or a file that it names belongs to another user, or other users may write to it: they could decide what is run in your name. The Workbench does not check this on Windows.',
    fix: 'Make yourself the owner of the file and its folder, and remove the write permission of others (chmod go-w). If you know who writes there and trust them, use --trust-config or WORKBENCH_TRUST_CONFIG=1.',
    exit: exitCode.usage,
  },
  WB1414: {
    title: 'not a regular file, or too large',
    meaning:
      'The path leads to a pipe, a device or something else that may never end, or to a file that is far too large for its purpose.',
    fix: 'Name a regular file.',
    exit: exitCode.usage,
  },
} as const satisfies Record<string, ErrorEntry>;
