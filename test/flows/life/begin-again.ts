/** The same program with the same state, started again and again by a client that begins the same way, but for its ids. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { prepareProgram } from '../../support/program.ts';
import { type RawClient, startRaw } from '../../support/raw-client.ts';
import { fixture, type ServerStart } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { type Era, linesOf } from '../support.ts';

export type Mode = 'meta' | 'dynamic' | 'flat';
export const modes: readonly Mode[] = ['meta', 'dynamic', 'flat'];

export interface AgainOptions {
  readonly mode: Mode;
  readonly config?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  /** More servers. */
  readonly more?: Readonly<Record<string, ServerStart>>;
}

/** `old` reads what it offers from a file, `new` from a variable, `filed` from an env file. Each notes when it is started. */
export function setUpAgain({ mode, config = {}, env = {}, more = {} }: AgainOptions) {
  const program = prepareProgram({ args: ['--config', 'workbench-config.json'], env: { OFFERED: 'echo,add', ...env } });
  const { dir } = program;
  const [toolsFile, envFile, pidLog] = [join(dir, 'tools'), join(dir, 'some.env'), join(dir, 'pids')];
  writeFileSync(toolsFile, 'echo,pid');
  writeFileSync(envFile, 'TOOLS=echo,add,pid\n');
  const { command, args } = fixture('raw-legacy', { PID_LOG: pidLog });
  const servers = {
    old: fixture('raw-legacy', { OFFERS: 'prompts,resources', PID_LOG: pidLog, TOOLS_FILE: toolsFile }),
    new: { ...fixture('raw-modern', { PID_LOG: pidLog }), env: { TOOLS: '${OFFERED}' } },
    filed: { command, args, envFile: 'some.env' },
    ...more,
  };
  const shown =
    mode === 'flat' ? { mcpServers: servers } : { toolboxes: { box: { description: 'Box', mcpServers: servers } } };
  const write = (change: JsonObject = {}) =>
    writeFileSync(program.configPath, JSON.stringify({ mode, ...shown, ...config, ...change }));
  write();
  const state = String(program.env.WORKBENCH_STATE);
  return {
    ...program,
    ...{ state, toolsFile, envFile, mode, write },
    start: (env: Record<string, string | undefined> = {}) =>
      startRaw(program.command, program.args, { env: { ...program.env, ...env }, cwd: dir }),
    pids: () => linesOf(pidLog).map(Number),
    known: () => catalogFiles(state),
    isKnown: () => catalogFiles(state).length >= Object.keys(servers).length,
  };
}

export type Again = ReturnType<typeof setUpAgain>;

/** What is known of servers for the next start. */
function catalogFiles(state: string): string[] {
  const folder = join(state, 'catalog');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
}

export const listMethods = ['tools/list', 'prompts/list', 'resources/list'];

/** The lines that a client begins with; `first` is its first id. */
export function firstLines(era: Era, first: number, clientName = 'raw-client'): string[] {
  const request = (method: string, params: JsonObject, at: number) =>
    JSON.stringify({ jsonrpc: '2.0', id: first + at, method, params });
  const clientInfo = { name: clientName, version: '1.0.0' };
  if (era === 'modern') {
    const meta = { 'io.modelcontextprotocol/clientInfo': clientInfo };
    return ['server/discover', ...listMethods].map((method, at) => request(method, withEnvelope({ _meta: meta }), at));
  }
  return [
    request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 0),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ...listMethods.map((method, at) => request(method, {}, at + 1)),
  ];
}

let ids = 100;

/** The answers to a client that begins, as they came but for their ids; fails when one is missing or came twice. */
export async function beginWith(client: RawClient, era: Era, clientName?: string): Promise<string[]> {
  const first = ids;
  ids += 10;
  client.send(firstLines(era, first, clientName).join('\n'));
  const answers: string[] = [];
  for (let at = 0; at <= listMethods.length; at++) {
    await client.waitFor(({ id }) => id === first + at, 20_000);
    const head = `{"jsonrpc":"2.0","id":${first + at},`;
    const lines = client.lines.filter((line) => line.startsWith(head));
    if (lines.length !== 1) throw new Error(`${lines.length} answers to ${first + at}`);
    answers.push(String(lines[0]).slice(head.length));
  }
  return answers;
}

/** Asks for one list, now. */
export async function listNow(client: RawClient, era: Era, method = 'tools/list'): Promise<string> {
  const id = ids++;
  const answer = await client.request(method, era === 'modern' ? withEnvelope({}) : {}, { id, timeoutMs: 20_000 });
  return answer.raw.slice(`{"jsonrpc":"2.0","id":${id},`.length);
}

/** Every request was answered once, and nothing else was said. */
export async function finish(client: RawClient): Promise<void> {
  const { code, stderr } = await client.close(20_000);
  if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
  assertOnlyMessages(client.lines);
  const answered = client.messages.flatMap(({ message }) => (message.method === undefined ? [message.id] : []));
  if (new Set(answered).size !== answered.length) throw new Error(`answered twice: ${answered.join(', ')}`);
}

/** One whole run; gives the answers. */
export async function runOnce(again: Again, era: Era, env?: Record<string, string | undefined>): Promise<string[]> {
  const client = again.start(env);
  const answers = await beginWith(client, era);
  await finish(client);
  return answers;
}

/** Runs until something is known of every server that the mode starts for a list; gives the answers of the first run. */
export async function prime(again: Again, era: Era): Promise<string[]> {
  const first = await runOnce(again, era);
  if (again.mode !== 'flat') return first;
  for (let run = 0; run < 5 && !again.isKnown(); run++) await runOnce(again, era);
  if (!again.isKnown()) throw new Error('a server is not known');
  return first;
}
