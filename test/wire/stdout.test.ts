// @module-tag large
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { canReadProcesses, childTree, tempDir } from '../support/processes.ts';
import { startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { assertOnlyMessages, parseLine } from '../support/wire-check.ts';
import { createCanary, findCanaries } from './canaries.ts';

const modes = ['meta', 'dynamic', 'flat'] as const;
type Mode = (typeof modes)[number];

const first = createCanary('tok-');
const canaries = {
  literal: createCanary(),
  // One secret that begins with another, and some that do not look the same in a quoted text.
  first,
  longer: createCanary(`${first.value}-`),
  quoted: createCanary('a"b\\c-', '-"'),
  spaced: createCanary('pass word ', ' end'),
  foreign: createCanary('пароль-', '-☃'),
  lines: createCanary('-----BEGIN KEY-----\nMII', 'MII\n-----END KEY-----\n'),
  inherited: createCanary(),
  fromFile: createCanary(),
  alsoFromFile: createCanary('x=y#', '#z'),
  argument: createCanary(),
  inArgument: createCanary(),
  command: createCanary(),
  folder: createCanary(),
  header: createCanary(),
  bearer: createCanary(),
  password: createCanary(),
  query: createCanary(),
  dying: createCanary(),
  dyingFile: createCanary(),
  undeclared: createCanary(),
};
const all = Object.values(canaries);

/** Our environment: what `${NAME}` stands for, and one secret that nobody asks for. */
const environment = {
  CANARY_FIRST: canaries.first.value,
  CANARY_LONGER: canaries.longer.value,
  CANARY_QUOTED: canaries.quoted.value,
  CANARY_INHERITED: canaries.inherited.value,
  CANARY_ARGUMENT: canaries.argument.value,
  CANARY_IN_ARGUMENT: canaries.inArgument.value,
  CANARY_COMMAND: canaries.command.value,
  CANARY_FOLDER: canaries.folder.value,
  CANARY_BEARER: canaries.bearer.value,
  CANARY_PASSWORD: canaries.password.value,
  CANARY_QUERY: canaries.query.value,
  CANARY_DYING: canaries.dying.value,
  GITHUB_TOKEN: canaries.undeclared.value,
};

function buildServers(dir: string) {
  writeFileSync(
    join(dir, 'leaky.env'),
    `FILE_ONE=${canaries.fromFile.value}\nFILE_TWO='${canaries.alsoFromFile.value}'\n`,
  );
  writeFileSync(join(dir, 'dying.env'), `FILE_ONE=${canaries.dyingFile.value}\n`);
  const leaky = fixture('leaky', { TOOLS: 'echo,exit,fail' });
  return {
    leaky: {
      ...leaky,
      args: [...leaky.args, '--api-key', '${CANARY_ARGUMENT}', '--at=${CANARY_IN_ARGUMENT}'],
      env: {
        API_TOKEN: canaries.literal.value,
        DB_PASSWORD: canaries.spaced.value,
        CLIENT_SECRET: canaries.foreign.value,
        PRIVATE_KEY: canaries.lines.value,
        ONE: '${CANARY_FIRST}',
        TWO: '${CANARY_LONGER}',
        THREE: '${CANARY_QUOTED}',
        FOUR: 'with ${CANARY_INHERITED} inside',
      },
      envFile: join(dir, 'leaky.env'),
    },
    dying: { ...fixture('leaky', { DIE: 1 }), env: { ONE: '${CANARY_DYING}' }, envFile: join(dir, 'dying.env') },
    noisy: fixture('raw-modern', { NOISE: 1, STDERR_LINES: 5_000 }),
    curious: fixture('raw-legacy'),
    nowhere: { command: '/nowhere/${CANARY_COMMAND}/server' },
    homeless: { ...fixture('raw-legacy'), cwd: '/nowhere/${CANARY_FOLDER}' },
    remote: {
      url: 'http://user:${CANARY_PASSWORD}@127.0.0.1:9/mcp?key=${CANARY_QUERY}',
      headers: { 'X-Key': canaries.header.value, Authorization: 'Bearer ${CANARY_BEARER}' },
    },
  };
}

function call(client: RawClient, mode: Mode, server: string, name: string, args: JsonObject = {}) {
  const params = {
    meta: { name: 'use_tool', arguments: { tool: { toolbox: server, server, name }, arguments: args } },
    dynamic: { name: `default__${server}__${name}`, arguments: args },
    flat: { name: `${server}:${name}`, arguments: args },
  };
  return client.request('tools/call', params[mode], { timeoutMs: 20_000 });
}

/** Everything a client can make the program say, of servers that work, crash, and never started. */
async function useEverything(client: RawClient, mode: Mode): Promise<void> {
  await client.request('logging/setLevel', { level: 'debug' });
  await client.request('tools/list', {}, { timeoutMs: 20_000 });
  for (const toolbox of ['default', 'leaky', 'noisy', 'dying']) {
    const params = { name: 'open_toolbox', arguments: { toolbox } };
    await client.request('tools/call', params, { timeoutMs: 20_000 });
  }
  for (const server of ['dying', 'nowhere', 'homeless', 'remote']) await call(client, mode, server, 'echo');
  for (const name of ['echo', 'no_such_tool', 'fail', 'exit', 'echo']) await call(client, mode, 'leaky', name);
  for (const name of ['echo', 'log', 'boom', 'exit', 'echo']) await call(client, mode, 'noisy', name);
  await client.modern('tools/list', {}, { logLevel: 'debug' });
}

const flags: readonly { title: string; args(dir: string): string[] }[] = [
  { title: 'no flag', args: () => [] },
  { title: '--debug', args: () => ['--debug'] },
  { title: '--log-file', args: (dir) => ['--log-file', join(dir, 'run.log')] },
  { title: '--debug and --log-file', args: (dir) => ['--debug', '--log-file', join(dir, 'run.log')] },
];
const rows = modes.flatMap((mode) => flags.map((flag) => ({ mode, ...flag })));

/** A line of the log: one JSON object that says when, how bad and what. */
function isLogLine(line: string): boolean {
  const entry = parseLine(line);
  return entry !== undefined && ['time', 'level', 'event'].every((key) => typeof entry[key] === 'string');
}

describe('what the program says', () => {
  it.each(rows)(
    'in mode $mode with $title is the protocol on stdout, log lines elsewhere, and no secret',
    async (row) => {
      const dir = tempDir();
      const config = { mode: row.mode, startWaitMs: 8_000, mcpServers: buildServers(dir) };
      const client = startProgram({ config, args: row.args(dir), env: environment });
      await client.legacyHandshake();
      await useEverything(client, row.mode);
      const { stderr, code } = await client.close();

      expect(code).toBe(0);
      assertOnlyMessages(client.lines);
      const lines = stderr.trimEnd().split('\n');
      expect(lines.filter((line) => !isLogLine(line) && !/^(?:note|mcp-workbench) \S/.test(line))).toEqual([]);
      expect(findCanaries(client.lines.join('\n'), all)).toEqual([]);
      expect(findCanaries(stderr, all)).toEqual([]);
      if (row.title === 'no flag') return;

      const file = join(dir, 'run.log');
      const log = row.title === '--debug' ? stderr : readFileSync(file, 'utf8');
      expect(
        log
          .trimEnd()
          .split('\n')
          .filter((line) => !isLogLine(line) && !/^(?:note|mcp-workbench) \S/.test(line)),
      ).toEqual([]);
      expect(findCanaries(log, all)).toEqual([]);
      // The server did say its secrets, and they were replaced by their names.
      for (const name of ['API_TOKEN', 'FILE_ONE', 'CANARY_LONGER']) expect(log).toContain(`‹${name}›`);
      if (row.title.includes('--log-file') && process.platform !== 'win32')
        expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    },
  );

  it('to a server holds no secret of another one, in its arguments and its environment', async () => {
    const client = startProgram({ config: { mode: 'flat', mcpServers: buildServers(tempDir()) }, env: environment });
    await client.legacyHandshake();
    await client.request('tools/list', {}, { timeoutMs: 20_000 });
    const env = async (server: string, names: readonly string[]) => {
      const { message } = await call(client, 'flat', server, 'env', { names: [...names] });
      return (message.result as { structuredContent: { names: string[]; values: JsonObject } }).structuredContent;
    };
    for (const server of ['noisy', 'curious']) {
      const { names } = await env(server, []);
      expect(names).toContain('PATH');
      expect(findCanaries(JSON.stringify(await env(server, names)), all)).toEqual([]);
    }
    if (canReadProcesses) {
      const commands = childTree(client.pid).map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      expect(findCanaries(commands.filter((command) => !command.includes('leaky')).join('\n'), all)).toEqual([]);
    }
    await client.close();
  });
});
