/** The built program behind each of its three doors: somebody who sends what is heavy, and a neighbour who makes small calls. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPlace } from '../../src/daemon/attach.ts';
import { connectDaemon } from '../../src/daemon/connect-daemon.ts';
import { openHousehold } from '../daemon/household.ts';
import { atEnd } from '../support/at-end.ts';
import { eventually } from '../support/eventually.ts';
import { prepareProgram, programPath, repoRoot } from '../support/program.ts';
import { fixture } from '../support/servers.ts';
import { type Lines, openLines } from './lines.ts';
import type { Shape } from './shapes.ts';

export type DoorName = 'pipe' | 'HTTP' | 'daemon';

export interface Door {
  readonly pid: number;
  /** Sends a shape; gives how each of them was answered, as far as it ends. */
  send(shape: Shape): Promise<string[]>;
  /** The command line of a neighbour. */
  readonly neighbour: readonly string[];
}

export const tools = { echo: 'one:echo', swallow: 'one:pid' };
/** Of a server of its own: what keeps a server busy is not our matter. */
const neighbours = 'two:echo';
const config = { mcpServers: { one: fixture('raw-legacy'), two: fixture('raw-legacy') } };
const token = 'a-token-for-neighbours';
/** Of the revision that has batches. */
const handshake = Buffer.from(
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"heavy","version":"1"}}}\n',
);

export function openDoor(name: DoorName): Promise<Door> {
  return name === 'daemon' ? openDaemon() : openProgram(name);
}

async function openProgram(name: 'pipe' | 'HTTP'): Promise<Door> {
  const { command, args, env, dir } = prepareProgram({
    config,
    args: ['serve', '--http=0', '--stdio', '--token', token],
  });
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env }, cwd: dir });
  atEnd(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const url = await eventually(() => {
    const [, found] = /listens at (http:\S+)/.exec(stderr) ?? [];
    if (found === undefined) throw new Error(`does not listen: ${stderr}`);
    return found;
  }, 20_000);
  const common = { pid: child.pid ?? -1, neighbour: ['http', url, token, neighbours] };
  const lines = openLines(child.stdout, child.stdin);
  if (name === 'HTTP') return { ...common, send: await openHttpSender(url) };
  await lines.write(handshake);
  await lines.next(1);
  return { ...common, send: (shape) => sendLines([lines], shape) };
}

async function openDaemon(): Promise<Door> {
  const house = openHousehold({ config });
  const daemon = house.daemon();
  const env = { ...process.env, ...house.env } as NodeJS.ProcessEnv;
  const ground = openPlace({ env, config: house.configPath, version: programVersion });
  if ('why' in ground) throw new Error(ground.why);
  const open = async () => {
    const met = await connectDaemon({ address: ground.place.address, secret: ground.secret, want: 'attach' });
    if (met.kind !== 'met') throw new Error(`no daemon: ${met.kind} ${daemon.stderr}`);
    atEnd(() => void met.socket.destroy());
    const lines = openLines(met.socket, met.socket);
    met.socket.resume();
    await lines.write(handshake);
    await lines.next(1);
    return { lines, socket: met.socket };
  };
  await eventually(open, 20_000);
  const attach = [programPath, 'attach', '--config', house.configPath];
  const state = `WORKBENCH_STATE=${house.env.WORKBENCH_STATE}`;
  return {
    pid: daemon.pid,
    neighbour: ['pipe', neighbours, '/usr/bin/env', state, process.execPath, ...attach],
    async send(shape) {
      const clients = await Promise.all(Array.from({ length: shape.times }, open));
      const answers = await sendLines(
        clients.map(({ lines }) => lines),
        shape,
      );
      for (const { socket } of clients) socket.destroy();
      return answers;
    },
  };
}

/** One line each; where there are fewer senders than lines, one behind the other. */
async function sendLines(senders: readonly Lines[], { bytes, times, half }: Shape): Promise<string[]> {
  const end = Buffer.from('\n');
  const ping = Buffer.from('{"jsonrpc":"2.0","id":"behind","method":"ping"}\n');
  if (half === true) {
    await Promise.all(senders.map((lines) => lines.write(bytes)));
    await settle();
    await Promise.all(senders.map((lines) => lines.write(Buffer.concat([end, ping]))));
    // Each half is told that it is none, and what follows is read.
    return (await Promise.all(senders.map((lines) => lines.next(2)))).map(([, behind]) => behind ?? '');
  }
  const each = times / senders.length;
  const sent = senders.map(async (lines) => {
    for (let time = 0; time < each; time++) await lines.write(Buffer.concat([withId(bytes, time), end]));
    return lines.next(each);
  });
  return (await Promise.all(sent)).flat();
}

/** Long enough for what was written to be read. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 1_000));

/** Several requests of one client must differ. */
function withId(bytes: Buffer, at: number): Buffer {
  const place = bytes.subarray(0, 100).indexOf('"heavy"');
  if (place < 0) return bytes;
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(`"h${at}"`), bytes.subarray(place + 7)]);
}

async function openHttpSender(url: string): Promise<Door['send']> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (length: number, more: Record<string, string> = {}): ClientRequest =>
    request(url, { method: 'POST', agent: false, headers: { ...headers, ...more, 'content-length': length } });
  const answerOf = (sent: ClientRequest) =>
    new Promise<{ text: string; session: string }>((resolve) => {
      sent.on('error', () => resolve({ text: 'broken', session: '' }));
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          if (text.length < 400) text += chunk.toString('latin1', 0, 400);
        });
        response.on('close', () => resolve({ text, session: String(response.headers['mcp-session-id'] ?? '') }));
      });
    });
  const first = post(handshake.length);
  first.end(handshake);
  const { session } = await answerOf(first);
  return async ({ bytes, times, half }) => {
    const own = { 'mcp-session-id': session };
    if (half !== true)
      return Promise.all(
        Array.from({ length: times }, async (_, at) => {
          const body = withId(bytes, at);
          const sent = post(body.length, own);
          sent.end(body);
          return (await answerOf(sent)).text;
        }),
      );
    const open = Array.from({ length: times }, () => post(bytes.length + 1, own));
    for (const sent of open) {
      sent.on('error', () => {});
      sent.write(bytes);
    }
    await settle();
    for (const sent of open) sent.destroy();
    return [];
  };
}

const programVersion = (JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { version: string })
  .version;

const neighbourPath = join(dirname(fileURLToPath(import.meta.url)), 'neighbour.mjs');

export interface Seen {
  readonly calls: number;
  readonly worstMs: number;
  /** How long the neighbour itself was kept waiting by the machine. */
  readonly stalledMs: number;
  readonly failed: number;
}

/** Has a neighbour make calls while something else is done. */
export async function beside(door: Door, work: () => Promise<void>): Promise<Seen> {
  const child = spawn(process.execPath, [neighbourPath, ...door.neighbour], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(() => void child.kill('SIGKILL'));
  const lines = openLines(child.stdout, child.stdin);
  await lines.next(1);
  await work();
  child.stdin.end();
  const [text = ''] = await lines.next(1);
  return JSON.parse(text) as Seen;
}
