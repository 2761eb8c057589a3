/**
 * Every kind of mistake that the configuration check knows, by its code. `everyCode` of the test that uses it is made from the table
 * of errors: a new code has to find its place here.
 */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';

export interface Mistake {
  readonly code: ErrorCode;
  readonly what: string;
  /** The name of the server, where that is what is wrong. */
  readonly name?: string;
  /** What it is called in a toolbox then. */
  readonly label?: string;
  /** The entry of one server, as it is written. */
  readonly entry: string;
}

/** In an entry that would otherwise be right: whoever ignores the mistake starts the server. */
const withRight = (start: object, more: object): string => JSON.stringify({ ...start, ...more });
const remote = { url: 'http://127.0.0.1:9/mcp' };

function openEnvFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'workbench-test-')), 'open.env');
  writeFileSync(path, 'A=1\n');
  chmodSync(path, 0o666);
  return path;
}

/** Mistakes that cost one server. */
export function serverMistakes(start: object): Mistake[] {
  const right = JSON.stringify(start);
  const wrong = (what: string, more: object): Mistake => ({ code: 'WB1405', what, entry: withRight(start, more) });
  const far = (what: string, more: object): Mistake => ({ code: 'WB1405', what, entry: withRight(remote, more) });
  return [
    { code: 'WB1102', what: 'an unset variable', entry: withRight(start, { env: { KEY: '${NOT_SET_ANYWHERE}' } }) },
    { code: 'WB1102', what: 'a question of VS Code', entry: withRight(start, { env: { KEY: '${input:key}' } }) },
    { code: 'WB1104', what: 'an envFile that is not there', entry: withRight(start, { envFile: 'no-such.env' }) },
    { code: 'WB1413', what: 'an envFile that others may write', entry: withRight(start, { envFile: openEnvFile() }) },
    { code: 'WB1414', what: 'an envFile that is a device', entry: withRight(start, { envFile: '/dev/null' }) },
    { code: 'WB1401', what: 'a misspelt filter', entry: withRight(start, { toolFilter: ['echo'] }) },
    { code: 'WB1401', what: 'a misspelt key of the sign-in', entry: withRight(remote, { oauth: { isuer: 'x' } }) },
    { code: 'WB1405', what: 'no object', entry: '"npx server"' },
    { code: 'WB1405', what: 'neither command nor url', entry: '{}' },
    {
      code: 'WB1405',
      what: 'a key twice',
      entry: `{"toolFilters": ["!add"], ${right.slice(1, -1)}, "toolFilters": ["*"]}`,
    },
    { code: 'WB1406', what: 'a name with a control character', name: 'bell\u0007', label: 'bell', entry: right },
    wrong('both command and url', remote),
    wrong('an empty command', { command: ' ' }),
    wrong('a number in env', { env: { PORT: 3000 } }),
    wrong('a name of a variable with "="', { env: { 'A=B': 'x' } }),
    wrong('arguments that are no list', { args: 'oops' }),
    wrong('a NUL character', { cwd: 'a\u0000b' }),
    wrong('filters that are no list', { toolFilters: 'echo' }),
    wrong('a filter that is no text', { toolFilters: ['echo', 3] }),
    wrong('a fixed argument that is also a default', {
      tools: { echo: { arguments: { a: { value: 1, default: 2 } } } },
    }),
    wrong('no instances', { instances: {} }),
    wrong('two tools under one name', { tools: { echo: { name: 'x' }, add: { name: 'x' } } }),
    wrong('a wrong time', { timeoutMs: -1 }),
    wrong('a wrong rest', { idleMs: 5 }),
    wrong('a wrong start', { start: 'egaer' }),
    wrong('a wrong sharing', { sharing: 'shard' }),
    wrong('a switch that is none', { disabled: 'yes' }),
    wrong('a transport that contradicts it', { type: 'http' }),
    wrong('two keys that contradict each other', { cwd: '/', working_directory: '/tmp' }),
    far('an address of another scheme', { url: 'ftp://127.0.0.1/mcp' }),
    far('a header with a line break', { headers: { Authorization: 'Bearer x\ny' } }),
    far('a name that is none of a header', { headers: { 'no header': 'x' } }),
    far('a wrong sign-in', { oauth: { issuer: 'nowhere' } }),
  ];
}

/** What stands in a toolbox and costs its place there only. */
export const placeMistakes: readonly { readonly code: ErrorCode; readonly server: string }[] = [
  { code: 'WB1408', server: 'nosuch' },
];

/** What costs the whole file, as its text. */
export const fileMistakes: readonly { readonly code: ErrorCode; readonly what: string; readonly text?: string }[] = [
  { code: 'WB1403', what: 'no JSON', text: '{ "mcpServers": ' },
  { code: 'WB1403', what: 'an empty file', text: '' },
  { code: 'WB1405', what: 'no object', text: '[]' },
  { code: 'WB1405', what: 'no servers', text: '{"mode": "flat"}' },
  {
    code: 'WB1405',
    what: 'wrong limits',
    text: '{"limits": {"messageBytes": "much"}, "mcpServers": {"one": {"command": "x"}}}',
  },
  { code: 'WB1401', what: 'misspelt limits', text: '{"limit": {}, "mcpServers": {"one": {"command": "x"}}}' },
  { code: 'WB1409', what: 'a wrong separator', text: '{"separator": "a b", "mcpServers": {"one": {"command": "x"}}}' },
  { code: 'WB1407', what: 'no file' },
  { code: 'WB1102', what: 'no right server', text: '{"mcpServers": {"one": {"command": "${NOT_SET_ANYWHERE}"}}}' },
];

/** Codes that are about no mistake: what is only strange, and what is said of what is left out. */
export const noMistakes: readonly ErrorCode[] = ['WB1402', 'WB1410', 'WB1412'];
