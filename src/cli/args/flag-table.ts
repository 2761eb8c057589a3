/** Every flag, once: see `command-table.ts`. */
import { modes } from '../../base/mode.ts';

export interface FlagSpec {
  readonly short?: string;
  /** The placeholder of its value; a flag without one is a switch. */
  readonly value?: string;
  /** The value may be left out. */
  readonly valueOptional?: true;
  readonly choices?: readonly string[];
  readonly about: string;
}

export const flagTable = {
  config: {
    value: 'PATH',
    about: 'the configuration file; wins over WORKBENCH_CONFIG and over files that are found automatically',
  },
  'trust-config': {
    about: 'also use a configuration that other users can change; WORKBENCH_TRUST_CONFIG=1 does the same',
  },
  mode: {
    value: 'MODE',
    choices: modes,
    about: 'meta, dynamic, flat, search or auto; clients of protocol 2026-07-28 see dynamic as meta',
  },
  client: {
    value: 'ID',
    about: 'the client this is for, such as cursor: in mode auto, it decides how tools are shown',
  },
  separator: {
    value: 'S',
    about: 'the text between server and tool in flat mode; ":" unless the file says otherwise',
  },
  'no-watch': { about: 'do not watch the configuration file; it is read again at SIGHUP only' },
  name: { value: 'N', about: 'the server name announced to clients' },
  version: {
    value: 'V',
    valueOptional: true,
    about: 'alone: print the version of this program; with a value: the version announced to clients',
  },
  http: {
    value: 'PORT',
    valueOptional: true,
    about: 'serve over HTTP; on port 3917, or the next free one, unless a port is given',
  },
  host: { value: 'ADDRESS', about: 'the address to listen on; 127.0.0.1 unless the file says otherwise' },
  stdio: { about: 'with --http: serve stdin and stdout too, and end when that client leaves' },
  token: {
    value: 'T',
    about: 'the token HTTP clients must send as "Authorization: Bearer T"; other users of this machine can see it',
  },
  'token-file': { value: 'PATH', about: 'the same, read from a file; WORKBENCH_TOKEN is the same as a variable' },
  'no-auth': { about: 'let every program on this machine in, without a token' },
  sse: { about: 'also offer the HTTP+SSE transport of protocol 2024-11-05 at /sse' },
  'allow-host': { value: 'NAME', about: 'a name under which HTTP clients may reach this service; can be repeated' },
  'allow-origin': { value: 'ORIGIN', about: 'a web origin that may send requests; can be repeated' },
  'idle-ms': {
    value: 'MS',
    about: 'how long a daemon stays without clients before it ends; 300000 by default',
  },
  status: { about: 'tell whether the daemon of this configuration runs, since when, and for how many clients' },
  stop: { about: 'end the daemon of this configuration and its servers' },
  server: { value: 'NAME', about: 'only this server of the Workbench, which starts it again' },
  json: { about: 'one JSON value on stdout, errors as one JSON line on stderr' },
  fresh: { about: 'start the servers anew: use neither a running Workbench nor what earlier runs have stored' },
  renamed: { about: 'show which tools the configuration renames, changes or hides, and where it says so' },
  'exit-code': { about: 'exit 4 when a server cannot be reached; starts the servers anew' },
  args: { value: 'JSON', about: 'all arguments of the tool as one JSON object; "-" reads it from stdin' },
  save: { value: 'DIR', about: 'write images, audio and other binary content to files in this folder' },
  timeout: { value: 'MS', about: 'give up the call after this many milliseconds' },
  'no-browser': {
    about:
      'do not open a browser: print the address to open, and read the address where the browser ends up from stdin',
  },
  'log-file': { value: 'PATH', about: 'append a log to this file (with --debug: a detailed one)' },
  debug: { about: 'detailed log on stderr, stack traces of unexpected failures' },
  quiet: { short: 'q', about: 'no progress, notes or hints on stderr' },
  'no-color': { about: 'no colours; NO_COLOR does the same' },
  help: { short: 'h', about: 'explain the program, or the command it stands with' },
} as const satisfies Record<string, FlagSpec>;

export type FlagName = keyof typeof flagTable;

export function getFlag(name: FlagName): FlagSpec {
  return flagTable[name];
}
