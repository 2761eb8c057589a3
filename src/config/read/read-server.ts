/** Reads one entry of `mcpServers` into a definition that can be started as it is. */
import { defined } from '../../base/json/defined.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { keyPlace, type Member, toMembers } from '../document/json-node.ts';
import type { HttpTransport, Placement, ServerDefinition, StdioTransport } from '../model/config.ts';
import type { LeftOutServer } from '../model/left-out.ts';
import { localTransports, serverShape } from '../model/schema.ts';
import { learnArguments } from '../secrets/secret-arguments.ts';
import { looksSecret } from '../secrets/secret-name.ts';
import { showAddress, showArguments, showCommand } from '../secrets/shown.ts';
import { resolveCommandPath, resolvePath } from '../source/resolve-path.ts';
import { readEnvFiles } from '../values/read-env-files.ts';
import { ignoredKeys, type ServerKey, understoodKeys } from './foreign.ts';
import { type Fields, isObjectMember, openObject } from './read.ts';
import { readOAuth } from './read-oauth.ts';
import type { Reading } from './read-text.ts';
import { readToolShapes } from './read-tools.ts';
import { translateMembers } from './translate.ts';

/** A server as one place of the file describes it, before equal ones are merged. */
export interface ServerEntry {
  readonly definition: Omit<ServerDefinition, 'key'>;
  /** Which of its items are shown, and how. */
  readonly filters: Pick<Placement, 'toolFilters' | 'promptFilters' | 'resourceFilters' | 'shapes'>;
  /** The description in the file, for the model that chooses a toolbox. */
  readonly description: string;
  /** Set for several instances that are shown as one server; the definition above is that of one of them. */
  readonly instances?: InstanceEntries;
}

export interface InstanceEntries {
  readonly argument: string;
  readonly preset: string | undefined;
  readonly path: string;
  readonly each: readonly InstanceEntry[];
}

export interface InstanceEntry {
  readonly name: string;
  readonly description: string;
  readonly content:
    | { readonly definition: Omit<ServerDefinition, 'key'> }
    | { readonly leftOut: Omit<LeftOutServer, 'key'> };
}

type ServerFields = Fields<(typeof serverShape)['members']>;

/** Undefined when the entry cannot be started; the report then says why. */
export function readServer(member: Member, outer: Reading): ServerEntry | undefined {
  const { report } = outer;
  const what = `server "${toPrintable(member.key, 80)}"`;
  if (!isObjectMember(member, what, outer)) return undefined;
  const fields = openObject(serverShape, member.node, member.path, outer, {
    what,
    members: translateMembers(toMembers(member.node, member.path), what, report),
    aliases: understoodKeys,
    ignored: ignoredKeys,
  });
  for (const key of ['instanceArgument', 'defaultInstance'] as const)
    if (fields.member(key) !== undefined)
      report.note('WB1405', fields.at(key), `"${key}" has no effect on ${what}: it has no "instances"`);
  const disabled = fields.read('disabled');
  const reading = { ...outer, unused: disabled };
  const fromFiles = readEnvFiles(fields, reading);
  const variables = {
    ...reading.variables,
    find: (name: string) => reading.variables.find(name) ?? fromFiles.get(name),
  };
  const transport = readTransport(member, fields, { ...reading, variables }, fromFiles, what);
  const description = fields.read('description', { ...reading, unused: true }) ?? '';
  const [promptFilters, resourceFilters] = [
    fields.read('promptFilters', reading),
    fields.read('resourceFilters', reading),
  ];
  const tools = fields.member('tools');
  const filters = {
    toolFilters: fields.read('toolFilters', reading) ?? ['*'],
    ...defined({ promptFilters, resourceFilters, shapes: tools && readToolShapes(tools, what, reading) }),
  };
  const limits = {
    timeoutMs: fields.read('timeoutMs'),
    startTimeoutMs: fields.read('startTimeoutMs'),
    prefix: fields.read('prefix'),
    sharing: fields.read('sharing', reading),
    start: fields.read('start', reading),
    idleMs: fields.read('idleMs'),
  };
  if (limits.start === 'eager' && limits.idleMs !== undefined)
    reading.report.note('WB1405', fields.at('idleMs'), `"idleMs" has no effect on ${what}: its "start" is "eager"`);
  if (transport === undefined) return undefined;
  return {
    definition: { name: member.key, transport, disabled, ...limits, shown: show(fields) },
    filters,
    description,
  };
}

function readTransport(
  member: Member,
  fields: ServerFields,
  reading: Reading,
  fromFiles: ReadonlyMap<string, string>,
  what: string,
): StdioTransport | HttpTransport | undefined {
  const { report } = reading;
  const [command, url] = [fields.member('command'), fields.member('url')];
  const stated = readStated(fields, reading);
  checkStatedTransport(stated, fields, reading, what);
  if (command !== undefined && url !== undefined) {
    const fix = 'Keep "command" to start the server here, or "url" to reach it over HTTP.';
    report.error('WB1405', keyPlace(url), `${what} has both "command" and "url"; only one is possible`, fix);
    return undefined;
  }
  if (command !== undefined) {
    noteUseless(['headers', 'oauth'], 'command', fields, reading);
    return readStdio(fields, reading, fromFiles, what);
  }
  if (url !== undefined) {
    noteUseless(['args', 'env', 'envFile', 'cwd'], 'url', fields, reading);
    return readHttp(fields, reading, what, stated);
  }
  if (!fields.misspelt.has('command') && !fields.misspelt.has('url')) {
    const fix = 'Give it a "command" that starts it, or the "url" where it is reached.';
    report.error('WB1405', keyPlace(member), `${what} has neither "command" nor "url"`, fix);
  }
  return undefined;
}

type Stated = ReadonlyMap<'transport' | 'type', ReturnType<ServerFields['read']>>;

/** Reads each key once, so that a wrong one is reported once. */
function readStated(fields: ServerFields, reading: Reading): Stated {
  return new Map((['transport', 'type'] as const).map((key) => [key, fields.read(key, reading)]));
}

/** `transport` and `type` do not choose between "command" and "url", but a contradiction shows a mistake. */
function checkStatedTransport(stated: Stated, fields: ServerFields, reading: Reading, what: string): void {
  const has = fields.member('command') !== undefined ? 'command' : 'url';
  for (const [key, value] of stated) {
    if (value === undefined || fields.member(has) === undefined) continue;
    const wanted = (localTransports as readonly unknown[]).includes(value) ? 'command' : 'url';
    if (wanted === has) continue;
    const message = `${what} has a "${has}", but its "${key}" is for a server with a "${wanted}"`;
    reading.report.error('WB1405', fields.at(key), message, `Remove "${key}", or give the server a "${wanted}".`);
  }
}

function noteUseless(keys: readonly ServerKey[], has: ServerKey, fields: ServerFields, { report }: Reading): void {
  for (const key of keys) {
    const member = fields.member(key);
    if (member === undefined || member.node.children?.length === 0) continue;
    report.note('WB1405', keyPlace(member), `"${key}" has no effect on a server with a "${has}"`, `Remove "${key}".`);
  }
}

function readStdio(
  fields: ServerFields,
  reading: Reading,
  fromFiles: ReadonlyMap<string, string>,
  what: string,
): StdioTransport {
  const { report, secrets, ground } = reading;
  const given = fields.read('command', reading);
  const command = given ?? '';
  const args = fields.read('args', reading) ?? [];
  if (given?.trim() === '') report.error('WB1405', fields.at('command'), `the "command" of ${what} is empty`);
  noteCommandLine(fields, reading, what);
  const started = withoutShell(command, args);
  if (started.args !== args) {
    const message = `"${command} ${args[0]}" of ${what} is not needed and was left out`;
    report.note('WB1402', fields.at('command'), message);
  }
  learnArguments(started.args, secrets);
  const env = new Map(fromFiles);
  for (const [name, value] of fields.read('env', reading) ?? []) {
    if (name === '' || /[=\0]/.test(name))
      report.error('WB1405', fields.at('env'), `the "env" of ${what} has a name that is empty or contains "="`);
    if (looksSecret(name)) secrets.learn(name, value);
    env.set(name, value);
  }
  return {
    kind: 'stdio',
    command: resolveCommandPath(started.command, ground),
    args: started.args,
    env: Object.fromEntries(env),
    cwd: resolvePath(fields.read('cwd', reading) ?? '.', ground),
  };
}

/**
 * A bare name has no spaces: a name with spaces has arguments in it. Judged by the written text, not by the value of a variable.
 */
function noteCommandLine(fields: ServerFields, { report }: Reading, what: string): void {
  const written = String(fields.member('command')?.node.value ?? '').trim();
  const [program = '', ...args] = written.split(/\s+/);
  if (args.length === 0 || /[\\/$]/.test(program)) return;
  const parts = showArguments(args).map((arg) => JSON.stringify(arg));
  const fix = `Write "command": ${JSON.stringify(program)}, "args": [${parts.join(', ')}].`;
  const message = `the "command" of ${what} is a whole command line; only the program belongs there`;
  report.note('WB1405', fields.at('command'), message, toPrintable(fix, 300));
}

/** Guides for Windows put `cmd /c` in front; the Workbench finds and starts commands without it. */
function withoutShell(command: string, args: readonly string[]): { command: string; args: readonly string[] } {
  const [flag, inner, ...rest] = args;
  const shell = /^cmd(\.exe)?$/i.test(command) && flag?.toLowerCase() === '/c';
  // Only a shell can split a whole command line in one argument.
  return shell && inner !== undefined && !/\s/.test(inner) ? { command: inner, args: rest } : { command, args };
}

function readHttp(fields: ServerFields, reading: Reading, what: string, stated: Stated): HttpTransport {
  const { report, secrets } = reading;
  const url = fields.read('url', reading);
  // An unset variable or a wrong type has been reported already.
  if (url !== undefined && !url.includes('${') && !isHttp(url))
    report.error('WB1405', fields.at('url'), `the "url" of ${what} must be an address with http:// or https://`);
  const headers = fields.read('headers', reading) ?? new Map<string, string>();
  for (const [name, value] of headers) {
    secrets.learn(name, value);
    // "Bearer abc": the part after the scheme is the secret.
    secrets.learn(name, value.slice(value.indexOf(' ') + 1));
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      report.error('WB1405', fields.at('headers'), `"${toPrintable(name, 80)}" in ${what} is not a name of a header`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the purpose
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) {
      const message = `the header "${toPrintable(name, 80)}" of ${what} has a line break or another control character`;
      report.error('WB1405', fields.at('headers'), message, 'Remove the character; a copied token often ends in one.');
    }
  }
  const oauth = readOAuth(fields.member('oauth'), reading, what);
  return {
    kind: 'http',
    url: url ?? '',
    headers: Object.fromEntries(headers),
    variant: toVariant(stated.get('transport') ?? stated.get('type')),
    ...defined({ oauth }),
  };
}

function toVariant(stated: unknown): HttpTransport['variant'] {
  if (stated === undefined || stated === 'remote') return 'auto';
  return stated === 'sse' ? 'sse' : 'streamable';
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

/** What an entry seems to be, despite its mistakes. */
export function describeEntry(member: Member): { readonly transport: 'stdio' | 'http'; readonly shown: string } {
  const members = toMembers(member.node, member.path);
  const find = (key: string) => members.find((each) => each.key === key && each.node.type === 'string')?.node.value;
  const [command, url] = [find('command'), find('url')];
  if (command === undefined && url !== undefined) return { transport: 'http', shown: showAddress(String(url)) };
  return { transport: 'stdio', shown: command === undefined ? '' : showCommand(String(command), []) };
}

function show(fields: ServerFields): string {
  const url = fields.member('url');
  if (url !== undefined) return showAddress(String(url.node.value));
  const args = (fields.member('args')?.node.children ?? []).map((child) => String(child.value));
  return showCommand(String(fields.member('command')?.node.value), args);
}
