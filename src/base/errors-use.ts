/** Errors of names, calls and commands. Part of the table in errors.ts. */
import { type ErrorEntry, exitCode } from './error-entry.ts';

export const useErrors = {
  WB1701: {
    title: 'two tools under one public name',
    meaning:
      'Two tools (or prompts, or resources) would be shown under the same public name. Neither is shown, so that no call can reach the wrong one.',
    fix: 'Rename one of the servers, filter one of the tools away, or remove "prefix": false.',
    exit: exitCode.ok,
  },
  WB1702: {
    title: 'separator outside the recommended characters',
    meaning: 'Some clients refuse tool names with characters other than letters, digits, "_", "-" and ".".',
    fix: 'If tools are missing in your client, use --separator __ or set "safeNames": true.',
    exit: exitCode.ok,
  },
  WB1703: {
    title: 'names with characters that clients refuse',
    meaning:
      'Public names have characters that some clients, and the APIs of models, do not take in the name of a tool. One such name can make a client lose all tools.',
    fix: 'Set "safeNames": true, or rename the servers.',
    exit: exitCode.ok,
  },
  WB1704: {
    title: 'names that are too long for clients',
    meaning:
      'Public names are longer than some clients take, counted with what those put before each name. Such tools are left out or cut there.',
    fix: 'Set "maxNameLength": 46, or shorten the name of the server.',
    exit: exitCode.ok,
  },
  WB1705: {
    title: 'filter matches nothing',
    meaning: 'A filter of a server matches none of what the server offers: it is misspelt, or the server has changed.',
    fix: 'Correct the filter; the message has the nearest names.',
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
    meaning: 'The server offers no tool (or prompt) of that name, or the filters of the toolbox leave it out.',
    fix: 'Use one of the names in the message, or list them: mcp-workbench tools',
    exit: exitCode.toolFailed,
  },
  WB1805: {
    title: 'tool answered with an error',
    meaning: 'The call reached the tool and the tool reports a failure.',
    fix: 'Read the answer; it comes from the tool.',
    exit: exitCode.toolFailed,
  },
  WB1806: {
    title: 'question no longer open',
    meaning:
      'A server asked something during a call, and the answer came too late, twice, from somebody else, with a call that had changed, or after the Workbench was started again. The call was not repeated.',
    fix: 'Make the call again.',
    exit: exitCode.toolFailed,
  },
  WB1807: {
    title: 'too many questions are open',
    meaning:
      'So many calls wait for the answer to a question of a server that this one cannot wait too. It was cancelled.',
    fix: 'Answer some of the questions, or make the call again later.',
    exit: exitCode.toolFailed,
  },
  WB1808: {
    title: 'unknown task',
    meaning:
      'There is no task of that id for this client: it was never there, its time is over, or the Workbench was started again.',
    fix: 'Make the call again.',
    exit: exitCode.toolFailed,
  },
  WB1809: {
    title: 'too many tasks are kept',
    meaning: 'So many tasks run, or have results that nobody has fetched yet, that no other can be begun.',
    fix: 'Fetch results, cancel tasks, or ask for a shorter "ttl"; or call the tool without a task.',
    exit: exitCode.toolFailed,
  },
  WB1901: {
    title: 'wrong usage',
    meaning: 'A command, flag or argument is not known or is missing.',
    fix: 'See mcp-workbench --help',
    exit: exitCode.usage,
  },
  WB1902: {
    title: 'process not ended',
    meaning:
      'A Workbench or a server is still there after it was told to end, or the system does not confirm that it is the process that was started: then it is left alone.',
    fix: 'End it with the means of your system if it is what you think. Look at it with: mcp-workbench ps',
    exit: exitCode.unreachable,
  },
  WB1910: {
    title: 'daemon is gone',
    meaning:
      'The daemon that served this client has ended without a word. Calls under way are lost; its servers are ended.',
    fix: 'Start this server of your client again: it starts a new daemon.',
    exit: exitCode.unreachable,
  },
  WB1911: {
    title: 'daemon runs already',
    meaning: 'There is one daemon for a configuration, and another process is it.',
    fix: 'Use the one that runs, or end it first: mcp-workbench daemon --stop',
    exit: exitCode.inUse,
  },
  WB1912: {
    title: 'no place for a daemon',
    meaning:
      'The daemon is met at a socket in a folder that only you can use, or at a pipe with a name. The folder, its secret, or what listens there cannot be trusted or used.',
    fix: 'Make the folder yours and closed to others (chmod 700), or remove it.',
    exit: exitCode.unreachable,
  },
  WB1913: {
    title: 'running Workbench has ended',
    meaning: 'The daemon or the HTTP service that a command had asked was gone before it answered.',
    fix: 'Run the command again, or add --fresh: then it starts the servers itself.',
    exit: exitCode.unreachable,
  },
  WB1914: {
    title: 'argument that the tool does not take',
    meaning:
      'The tool says that it takes no other arguments than those it names, and one that was given is not among them.',
    fix: 'Correct the name. What a tool takes is shown by: mcp-workbench tools',
    exit: exitCode.usage,
  },
  WB1915: {
    title: 'content cannot be saved',
    meaning: 'The folder that --save names cannot be used, or a file in it cannot be written.',
    fix: 'Name a folder that you may write to.',
    exit: exitCode.usage,
  },
  WB1920: {
    title: 'nothing is kept between runs',
    meaning:
      'The folder for the state (or one above it, or a file in it) belongs to another user, or others may write to it. What is found there could be theirs, so nothing is read from it or written to it. Everything works as in a first run; signing in needs a folder.',
    fix: 'Name a folder of your own with WORKBENCH_STATE, or make this one yours and closed to others (chmod 700).',
    exit: exitCode.usage,
  },
  WB1921: {
    title: 'a file with a secret can be changed by others',
    meaning: 'A file with a token or a private key belongs to another user, or others may write to it.',
    fix: 'Make the file yours and closed to others (chmod 600).',
    exit: exitCode.usage,
  },
  WB1999: {
    title: 'unexpected failure',
    meaning: 'A fault of the Workbench itself.',
    fix: 'Run again with --debug and report what it prints.',
    exit: exitCode.unexpected,
  },
} as const satisfies Record<string, ErrorEntry>;
