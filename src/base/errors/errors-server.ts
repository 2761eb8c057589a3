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
    fix: 'Read the quoted lines, run the command by hand, then: mcp-workbench check <server>',
    exit: exitCode.unreachable,
  },
  WB1005: {
    title: 'server did not start in time',
    meaning:
      'The process runs, or the address can be reached, but no answer to the handshake came within startTimeoutMs. A first start with npx, uvx or docker downloads what it runs and can take a minute.',
    fix: 'Try again when the download is done, or raise "startTimeoutMs" of this server.',
    exit: exitCode.unreachable,
  },
  WB1006: {
    title: 'text on stdout is not a message',
    meaning:
      'A server printed a line on stdout that is not JSON-RPC. The Workbench skipped the line; the server goes on working.',
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
    fix: 'Install a current Node.js and make sure that the client uses it.',
    exit: exitCode.unexpected,
  },
  WB1010: {
    title: 'server ended during a call',
    meaning:
      'The process exited, or its pipe broke, while a call was under way. It is not known whether the call had an effect.',
    fix: 'Check what the call did before you repeat it. The Workbench starts the server again by itself.',
    exit: exitCode.unreachable,
  },
  WB1011: {
    title: 'call took too long',
    meaning: 'The server sent neither an answer nor progress within timeoutMs. The Workbench cancelled the call.',
    fix: 'Ask for less at once, or raise "timeoutMs" of this server.',
    exit: exitCode.toolFailed,
  },
  WB1012: {
    title: 'message too large',
    meaning:
      'A message from a server was larger than "messageBytes" in "limits" allows (64 MiB by default). The Workbench did not keep it.',
    fix: 'Ask for a smaller part of the data, or raise the limit.',
    exit: exitCode.toolFailed,
  },
  WB1014: {
    title: 'list could not be read',
    meaning:
      'The server is connected, but one of its lists (tools, prompts, resources) failed, came too late, had too many pages, or repeated a cursor. The Workbench uses the pages that arrived before. It asks again for a list that came too late after 5 s, after 30 s and then every 5 minutes.',
    fix: 'Look at the log of the server. Restart the server, or report the fault to its maker.',
    exit: exitCode.unreachable,
  },
  WB1015: {
    title: 'malformed entry in a list',
    meaning:
      'One entry of a list is not valid, such as a tool without a name or without an input schema of type object. The Workbench repairs it or leaves it out, and serves the others.',
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
      'Every client (or call) has its own copy of this server, and as many copies as may run at once are in use. The call was not made.',
    fix: 'Try again when other calls have ended, or set "sharing": "shared" for this server.',
    exit: exitCode.unreachable,
  },
  WB1018: {
    title: 'server is down',
    meaning:
      'The server could not be started, or was lost soon after its start, five times in a row. The Workbench now waits 30 s before it starts the server again, then longer each time, up to 5 minutes. Until then every call gets this error at once. The first call after the wait tries the server again.',
    fix: 'Try again after the wait. To see the cause: mcp-workbench check <server>',
    exit: exitCode.unreachable,
  },
  WB1019: {
    title: 'server is busy',
    meaning:
      'More calls wait for a server than "callsPerServer" in "limits" allows, or one client has more open requests than "requestsPerClient" allows, or the server does not read its input and more than "pendingBytes" wait for it. The call was refused at once and had no effect.',
    fix: 'Try again in a moment, or raise the limit.',
    exit: exitCode.unreachable,
  },
  WB1020: {
    title: 'hidden characters in a list',
    meaning:
      'A name, title or description of a tool, prompt or resource holds characters that a model reads and a person does not see: zero width, direction marks, controls, tags. They may hide instructions. The Workbench removed them; a call still uses the original name.',
    fix: 'If you did not expect them, stop using the server. Read the tool with: mcp-workbench tools <server> --json',
    exit: exitCode.ok,
  },
  WB1021: {
    title: 'tool over a limit',
    meaning:
      'A schema of a tool is larger or nested deeper than "limits" in the configuration allows: the tool is left out. Or the description of a tool is longer than 16 KiB: it is cut.',
    fix: 'Report it to the maker of the server, or raise "schemaBytes" or "schemaDepth" in "limits".',
    exit: exitCode.ok,
  },
  WB1022: {
    title: 'messages left out',
    meaning:
      'A server sent more notifications of one kind (progress of one call, log messages, changes of resources, others) than "notificationsPerSecond" in "limits" allows, after a burst of 1,000 and 100 more with every call. The Workbench did not pass on the rest, except for the newest progress of a call. Or a client did not read while more than half of "pendingBytes" waited for it. Calls and answers are not affected.',
    fix: 'Make the server log less, or raise "notificationsPerSecond" in "limits".',
    exit: exitCode.ok,
  },
  WB1023: {
    title: 'entry starts the Workbench itself',
    meaning:
      'The entry starts this program, or leads back to it through a file, a gateway or an address: an endless chain of Workbenches would follow. The entry is left out and nothing is started for it; the other servers are served. A Workbench that finds itself in such a chain does not start servers.',
    fix: 'If the entry is for a client that reads the same file, you need not do anything. To use one Workbench behind another, give the inner one its own file ("--config", "other.jsonc") without an entry for a Workbench.',
    exit: exitCode.unreachable,
  },
  WB1024: {
    title: 'tools cannot be listed',
    meaning:
      'The server is connected, but answers tools/list with an error, without a list, or not at all: a key is wrong, a right is missing, or something that the server depends on is missing. Its prompts and resources, and tools known from an earlier list, can be used. The Workbench asks for the list again after 5 s, after 30 s and then every 5 minutes.',
    fix: 'Read the reason in the message. Most often a key in "env" or "headers" of the server is wrong or missing.',
    exit: exitCode.unreachable,
  },
  WB1025: {
    title: 'server ended',
    meaning:
      'The process exited, or the connection was lost, while no call was under way. Only what the server kept in memory is lost.',
    fix: 'You need not do anything: the Workbench starts the server again, at the latest for the next call. If it happens often, read what the server writes on stderr.',
    exit: exitCode.unreachable,
  },
  WB1026: {
    title: 'every client now has its own copy of the server',
    meaning:
      'Several clients shared one process of this server. The server asked or logged something that could have been meant for any of them, asked a client for something that this client does not offer, or wanted to know the roots of its client. From then on, and in later runs, each client has its own process. The first client keeps the process it had in this run; the others get a log message.',
    fix: 'You need not do anything. To keep one process for all clients, set "sharing": "shared" for this server.',
    exit: exitCode.ok,
  },
  WB1027: {
    title: 'messages of a shared server withheld',
    meaning:
      'The server asked or logged something that could be meant for several clients, and "sharing": "shared" does not allow a process for each client. The Workbench refused the question. It wrote the log message to its own log only, at level debug.',
    fix: 'Remove "sharing" from the entry of this server, or set it to "perSession".',
    exit: exitCode.ok,
  },
} as const satisfies Record<string, ErrorEntry>;
