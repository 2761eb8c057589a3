/**
 * A client without opinions: JSON-RPC over the pipes of a child, every line kept as it came.
 * It validates nothing and hides nothing, so a test can send what no SDK would and see every byte of the answer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { JsonObject } from '../../src/base/json/json.ts';
import { atEnd } from './at-end.ts';
import { type Envelope, withEnvelope } from './envelope.ts';
import { createTranscript, type Predicate, type RawMessage } from './transcript.ts';

export interface RawExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface RawOptions {
  /** On top of our own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

export interface RequestOptions {
  /** Counted up from 1 when not given. */
  readonly id?: string | number;
  readonly timeoutMs?: number;
}

export interface RawClient {
  readonly pid: number;
  /** Every line of stdout so far, whatever it holds. */
  readonly lines: readonly string[];
  /** Those lines that are JSON objects. */
  readonly messages: readonly RawMessage[];
  /** All of stderr so far. */
  readonly stderr: string;
  readonly exited: Promise<RawExit>;
  /** Resolves with the answer under the same id of the same type, be it result or error. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<RawMessage>;
  /** A request with the metadata that revision 2026-07-28 wants on each. */
  modern(method: string, params?: JsonObject, options?: RequestOptions & Envelope): Promise<RawMessage>;
  notify(method: string, params?: JsonObject): void;
  /** Writes a text, or bytes that are none, as they are, with a newline behind them. */
  send(text: string | Buffer): void;
  /** The first message, also among those that came before, for which `predicate` holds. */
  waitFor(predicate: Predicate, ms?: number): Promise<RawMessage>;
  /** initialize and notifications/initialized; gives the answer to the first. */
  legacyHandshake(version?: string, capabilities?: JsonObject): Promise<RawMessage>;
  /** Ends stdin and waits for the process to exit by itself; fails, and kills it, when it does not within `ms`. */
  close(ms?: number): Promise<RawExit>;
  kill(signal?: NodeJS.Signals): Promise<RawExit>;
}

const clientInfo = { name: 'raw-client', version: '1.0.0' };

export function startRaw(command: string, args: readonly string[], { env = {}, cwd }: RawOptions = {}): RawClient {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const transcript = createTranscript();
  let stderr = '';
  let nextId = 1;
  child.stdout.setEncoding('utf8').on('data', transcript.push);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // Writing to a process that has ended is no failure of the test: what it waits for fails instead.
  child.stdin.on('error', () => {});

  const exited = watchExit(child, () => stderr);
  exited.then(
    ({ code, signal }) => {
      const how = code === null ? `was ended by ${signal}` : `exited with ${code}`;
      transcript.end(`${command} ${how}. Its stderr:\n${stderr.slice(-2_000)}`);
    },
    (error: Error) => transcript.end(error.message),
  );
  const send = (text: string | Buffer) => {
    child.stdin.write(text);
    child.stdin.write('\n');
  };

  const client: RawClient = {
    pid: child.pid ?? -1,
    lines: transcript.lines,
    messages: transcript.messages,
    get stderr() {
      return stderr;
    },
    exited,
    request(method, params, { id = nextId++, timeoutMs = 10_000 } = {}) {
      const isAnswer: Predicate = (message) => message.id === id && message.method === undefined;
      const answer = transcript.next(`answer to ${method}`, timeoutMs, isAnswer);
      send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return answer;
    },
    modern: (method, params = {}, options = {}) => client.request(method, withEnvelope(params, options), options),
    notify: (method, params) => send(JSON.stringify({ jsonrpc: '2.0', method, params })),
    send,
    async waitFor(predicate, ms = 5_000) {
      const found = transcript.messages.find(({ message, raw }) => predicate(message, raw));
      return found ?? transcript.next(`a message for which ${predicate}`, ms, predicate);
    },
    async legacyHandshake(protocolVersion = '2025-11-25', capabilities = {}) {
      const answer = await client.request('initialize', { protocolVersion, capabilities, clientInfo });
      client.notify('notifications/initialized');
      return answer;
    },
    async close(ms = 10_000) {
      child.stdin.end();
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
      }, ms);
      const exit = await exited.finally(() => clearTimeout(timer));
      if (late) throw new Error(`${command} did not exit within ${ms} ms after its stdin ended`);
      return exit;
    },
    kill(signal = 'SIGKILL') {
      child.kill(signal);
      return exited;
    },
  };
  atEnd(() => client.kill().catch(() => {}));
  return client;
}

/** Resolves once the process is gone and its pipes are read; a grandchild that holds the pipes delays it only briefly. */
function watchExit(child: ChildProcess, stderr: () => string): Promise<RawExit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    const finish = (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal, stderr: stderr() });
    child.once('close', finish);
    child.once('exit', (code, signal) => setTimeout(() => finish(code, signal), 500).unref());
  });
}
