/** Errors of local servers: starting them, shaking hands, calling them. Part of the table in errors.ts. */
import { type ErrorEntry, exitCode } from './error-entry.ts';

export const serverErrors = {
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
    fix: 'Check what the call did before repeating it. The server is started again by itself.',
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
    meaning: 'A message was larger than "messageBytes" in "limits" allows (64 MiB by default) and was thrown away.',
    fix: 'Ask for a smaller part of the data, or raise the limit.',
    exit: exitCode.toolFailed,
  },
  WB1014: {
    title: 'list could not be read',
    meaning:
      'The server is connected but one of its lists (tools, prompts, resources) failed, came too late or in too many pages or repeated a cursor. What arrived before that is used. A list that came too late is asked for again after 5 s, 30 s and then every 5 minutes.',
    fix: 'Look at the log of the server; restart it or report the fault to its maker.',
    exit: exitCode.unreachable,
  },
  WB1015: {
    title: 'malformed entry of a list',
    meaning:
      'One entry of a list is not valid (such as a tool without a name or without an input schema of type object). It is repaired or left out; the others are served.',
    fix: 'Report the fault to the maker of the server.',
    exit: exitCode.ok,
  },
  WB1016: {
    title: 'server is disabled',
    meaning: 'The configuration says "disabled": true for this server.',
    fix: 'Remove "disabled" from its entry.',
    exit: exitCode.unreachable,
  },
  WB1017: {
    title: 'too many copies of a server',
    meaning:
      'The server is run once for every client (or call), and as many as may run at once are in use. The call was not made.',
    fix: 'Try again when other calls have ended, or set "sharing": "shared" for this server.',
    exit: exitCode.unreachable,
  },
  WB1018: {
    title: 'server is down',
    meaning:
      'The server could not be started, or was lost soon after its start, five times in a row. It is left alone for 30 s, then for longer each time, up to 5 minutes; calls are answered at once meanwhile. The first call after that time tries it again.',
    fix: 'Try again after that time. To see the cause: mcp-workbench check <server>.',
    exit: exitCode.unreachable,
  },
  WB1019: {
    title: 'server is busy',
    meaning:
      'More calls wait for a server than "callsPerServer" in "limits" allows, or more requests of one client than "requestsPerClient"; or the server does not read, and more than "pendingBytes" wait for it. The call was refused at once and had no effect.',
    fix: 'Try again in a moment, or raise the limit.',
    exit: exitCode.unreachable,
  },
  WB1020: {
    title: 'hidden characters in a list',
    meaning:
      'A name, title or description of a tool, prompt or resource holds characters that a person does not see and a model reads: zero width, direction marks, controls, tags. They may hide instructions. They were taken out; a call still uses the original name.',
    fix: 'Read the tool with: mcp-workbench tools <server> --json. If you did not expect them, stop using the server.',
    exit: exitCode.ok,
  },
  WB1021: {
    title: 'tool over a limit',
    meaning:
      'A schema of a tool is larger or nested deeper than "limits" of the configuration allows: the tool is left out. Or its description is longer than 16 KiB: it is cut.',
    fix: 'Report it to the maker of the server, or raise "schemaBytes" or "schemaDepth" in "limits".',
    exit: exitCode.ok,
  },
  WB1022: {
    title: 'messages left out',
    meaning:
      'A server sent more notifications of one kind (progress of one call, log messages, changes of resources, others) than "notificationsPerSecond" in "limits" allows, after a burst of 1,000 and 100 more with every call. What was too much was not passed on; the newest progress of a call always is. Or a client did not read while more than half of "pendingBytes" waited for it. Calls and answers are not affected.',
    fix: 'Make the server log less, or raise "notificationsPerSecond" in "limits".',
    exit: exitCode.ok,
  },
  WB1026: {
    title: 'every client has a copy of the server of its own',
    meaning:
      'Several clients used one process of this server, and it asked or logged something that could have been meant for any of them, asked one of them what that one cannot be asked, or wanted to know the roots of its client. From then on, and in later runs, each client has a process of its own; the one that came first keeps what it had in this run, the others are told by a log message.',
    fix: 'Nothing has to be done. To have one process all the same, set "sharing": "shared" for this server.',
    exit: exitCode.ok,
  },
  WB1027: {
    title: 'messages of a shared server left out',
    meaning:
      'The server asked or logged something that could be meant for several clients, and "sharing": "shared" does not let each have one of its own. What it asked was refused; what it logged is in the log of the Workbench at level debug only.',
    fix: 'Remove "sharing" from the entry of this server, or set it to "perSession".',
    exit: exitCode.ok,
  },
} as const satisfies Record<string, ErrorEntry>;
