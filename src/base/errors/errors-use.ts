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
      'Public names have characters that some clients, and the APIs of models, do not accept in the name of a tool. One such name can make a client lose all tools.',
    fix: 'Set "safeNames": true, or rename the servers.',
    exit: exitCode.ok,
  },
  WB1704: {
    title: 'names that are too long for clients',
    meaning:
      'Public names are longer than some clients accept, counted with the prefix that those clients add. Such clients leave these tools out or cut their names.',
    fix: 'Set "maxNameLength": 46, or shorten the name of the server.',
    exit: exitCode.ok,
  },
  WB1705: {
    title: 'filter matches nothing',
    meaning:
      'A filter of a server does not match anything that the server offers: it is misspelt, or the server has changed.',
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
    meaning: 'The server does not offer a tool (or prompt) of that name, or the filters of the toolbox leave it out.',
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
      'A server asked a question during a call. The answer came too late, twice, from another client, with a changed call, or after a restart of the Workbench. The call was not made again.',
    fix: 'Make the call again.',
    exit: exitCode.toolFailed,
  },
  WB1807: {
    title: 'too many questions are open',
    meaning: 'Too many calls already wait for the answer to a question of a server. This call was cancelled.',
    fix: 'Answer some of the questions, or make the call again later.',
    exit: exitCode.toolFailed,
  },
  WB1808: {
    title: 'unknown task',
    meaning: 'This client has no task with that id: it never existed, it has expired, or the Workbench was restarted.',
    fix: 'Make the call again.',
    exit: exitCode.toolFailed,
  },
  WB1809: {
    title: 'too many tasks are kept',
    meaning:
      'Too many tasks are running or have results that their clients have not fetched yet. No further task can be started.',
    fix: 'Fetch results, cancel tasks, or ask for a shorter "ttl"; or call the tool without a task.',
    exit: exitCode.toolFailed,
  },
  WB1835: {
    title: 'pinned tool is not there',
    meaning:
      'An entry of "pinned" does not name a tool that is shown: it is misspelt, or a filter leaves the tool out.',
    fix: 'Remove the entry, or write "server/tool" with names that are shown by: mcp-workbench tools',
    exit: exitCode.ok,
  },
  WB1840: {
    title: 'no such result',
    meaning:
      'A handle or URI of a long result is unknown: it is misspelt, belongs to another client, or is too old. Results are kept for the client that got them, for an hour after they were last read, while the Workbench runs.',
    fix: 'Call the tool again.',
    exit: exitCode.toolFailed,
  },
  WB1845: {
    title: 'argument that the configuration decides about',
    meaning:
      'The call sets an argument that the configuration fixes or hides for this tool. The call was not made: such an argument is never taken from a caller.',
    fix: 'Make the call without the argument. To let callers set it, remove its entry from "arguments" of the tool in the configuration.',
    exit: exitCode.toolFailed,
  },
  WB1846: {
    title: 'tool cannot be shown as configured',
    meaning:
      'The configuration changes a tool in a way that does not fit it: a value does not match its schema, it has no such argument, or two tools would get one name. The tool is left out, because the part that cannot be done may be the one that protects.',
    fix: 'Correct the entry of the tool in "tools"; the message says what does not fit.',
    exit: exitCode.ok,
  },
  WB1847: {
    title: 'entry in "tools" matches nothing',
    meaning:
      'An entry in "tools" names a tool that its server does not offer: it is misspelt, or the server has changed.',
    fix: 'Correct the name; the message has the nearest ones.',
    exit: exitCode.ok,
  },
  WB1848: {
    title: 'instance not selected',
    meaning:
      'The server has several instances, and the call does not select one that has the tool. The call was not made: it must not reach an instance that is not meant.',
    fix: 'Set the argument that selects the instance; the message has its name and the instances.',
    exit: exitCode.toolFailed,
  },
  WB1849: {
    title: 'tool of an instance is shown by itself',
    meaning:
      'The instances of a server do not have the same tool, or the tool cannot take the argument that selects the instance. It is shown under the name of its instance.',
    fix: 'Use the same version of the server for all instances, or choose another "instanceArgument".',
    exit: exitCode.ok,
  },
  WB1850: {
    title: 'no tokenizer is installed',
    meaning: 'Exact counts need the package gpt-tokenizer, which is not a part of this program.',
    fix: 'Install it beside this program: npm install gpt-tokenizer, with -g where the program was installed with -g. Or leave out --exact.',
    exit: exitCode.usage,
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
      'A Workbench or a server still runs after it was told to end. Or the system does not confirm that it is the process that was started; such a process is left alone.',
    fix: 'If it is the right process, end it with the tools of your system. To see what runs: mcp-workbench ps',
    exit: exitCode.unreachable,
  },
  WB1910: {
    title: 'daemon is gone',
    meaning:
      'The daemon that served this client ended unexpectedly. Calls under way are lost, and its servers have been ended.',
    fix: 'Restart this server in your client: that starts a new daemon.',
    exit: exitCode.unreachable,
  },
  WB1911: {
    title: 'daemon is already running',
    meaning: 'A configuration has only one daemon, and another process already is the daemon of this one.',
    fix: 'Use the one that runs, or end it first: mcp-workbench daemon --stop',
    exit: exitCode.inUse,
  },
  WB1912: {
    title: 'no place for a daemon',
    meaning:
      'Clients reach the daemon through a socket in a folder that only you can use, or on Windows through a named pipe. The folder, its secret, or the program that listens there cannot be trusted or used.',
    fix: 'Make yourself the owner of the folder and close it to others (chmod 700), or remove it.',
    exit: exitCode.unreachable,
  },
  WB1913: {
    title: 'running Workbench has ended',
    meaning: 'The daemon or the HTTP service that a command had asked ended before it answered.',
    fix: 'Run the command again, or add --fresh so that it starts the servers itself.',
    exit: exitCode.unreachable,
  },
  WB1914: {
    title: 'argument that the tool does not accept',
    meaning: 'The tool accepts only the arguments that its schema names, and the call has another one.',
    fix: 'Correct the name. To see the arguments of a tool: mcp-workbench tools',
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
      'The state folder (or a folder above it, or a file in it) belongs to another user, or other users may write to it. Its content could be theirs, so the Workbench neither reads nor writes it. Everything works as in a first run, except for signing in, which needs the folder.',
    fix: 'Name a folder of your own with WORKBENCH_STATE, or make yourself the owner of this one and close it to others (chmod 700).',
    exit: exitCode.usage,
  },
  WB1921: {
    title: 'other users can change a file with a secret',
    meaning: 'A file with a token or a private key belongs to another user, or other users may write to it.',
    fix: 'Make yourself the owner of the file and close it to others (chmod 600).',
    exit: exitCode.usage,
  },
  WB1999: {
    title: 'unexpected failure',
    meaning: 'The Workbench itself has a fault.',
    fix: 'Run the command again with --debug and report what it prints.',
    exit: exitCode.unexpected,
  },
} as const satisfies Record<string, ErrorEntry>;
