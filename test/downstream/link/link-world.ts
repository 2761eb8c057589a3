/** A link to a server that a test plays: every process of it is started, driven and ended by hand, on a clock that stands still. */
import type { Call, CallOutcome } from '../../../src/base/call/call.ts';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../src/base/json/json.ts';
import { silentLog } from '../../../src/base/text/log.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import type { Audience } from '../../../src/downstream/connection/audience.ts';
import { createServerQuirks } from '../../../src/downstream/connection/server-quirks.ts';
import { Link } from '../../../src/downstream/link/link.ts';
import type { Known } from '../../../src/downstream/listing/known.ts';
import type { ServerProcess, StartLocal } from '../../../src/downstream/process/process.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';

/** What a process does when it is started. `slow`: answers after 1.2 s. `mute`: answers nothing. `die`: exits after a millisecond. */
export type Manner = 'serve' | 'slow' | 'mute' | 'die' | WorkbenchError;

export interface FakeProcess {
  readonly startedAt: number;
  /** Requests it got and did not answer by itself: all but the handshake and the lists. */
  readonly calls: JsonObject[];
  readonly stopped: boolean;
  /** It has gone, but nobody has been told yet. */
  fade(): void;
  exit(code?: number): void;
  say(message: JsonObject): void;
  answer(result?: JsonObject): void;
}

export interface FakeServer {
  readonly processes: FakeProcess[];
  readonly last: FakeProcess;
  manner: Manner;
  /** A method that it does not answer, and when it was asked. */
  deafTo: string | undefined;
  readonly unanswered: number[];
  /** Bytes that it has not read. */
  waiting: number;
  /** What a process that is told to stop waits for. */
  stopDelay: Promise<void> | undefined;
  tools: JsonObject[];
  /** The list of tools goes wrong after its first page. */
  listFault: boolean;
  /** Answers in place of its own, by method. */
  readonly answers: Map<string, JsonObject>;
  readonly startLocal: StartLocal;
}

const tool = (name: string, annotations?: JsonObject): JsonObject => ({
  name,
  inputSchema: { type: 'object' },
  ...(annotations === undefined ? {} : { annotations }),
});

export function createFakeServer(clock: FakeClock): FakeServer {
  const processes: FakeProcess[] = [];
  const server: FakeServer = {
    processes,
    get last() {
      const last = processes.at(-1);
      if (last === undefined) throw new Error('no process was started');
      return last;
    },
    manner: 'serve',
    deafTo: undefined,
    unanswered: [],
    waiting: 0,
    stopDelay: undefined,
    listFault: false,
    answers: new Map(),
    tools: [
      tool('read', { readOnlyHint: true }),
      tool('put', { idempotentHint: true }),
      tool('write', { readOnlyHint: false, destructiveHint: true }),
      tool('plain'),
    ],
    async startLocal(_transport, handlers): Promise<ServerProcess> {
      const { manner } = server;
      if (manner instanceof WorkbenchError) {
        processes.push(refused(clock.now()));
        throw manner;
      }
      let running = true;
      let exited = false;
      let stopped = false;
      const calls: JsonObject[] = [];
      const exit = (code: number) => {
        running = false;
        if (exited) return;
        exited = true;
        handlers.onExit({ code, signal: null });
      };
      const say = (message: JsonObject) => handlers.onLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
      processes.push({
        startedAt: clock.now(),
        calls,
        get stopped() {
          return stopped;
        },
        fade() {
          running = false;
        },
        exit: (code = 1) => exit(code),
        say,
        answer: (result = { content: [] }) => say({ id: calls.at(-1)?.id as Json, result }),
      });
      if (manner === 'die') clock.after(1, () => exit(1));
      return {
        pid: processes.length,
        get running() {
          return running;
        },
        get waiting() {
          return server.waiting;
        },
        send(line) {
          const message = JSON.parse(String(line)) as JsonObject;
          if (
            manner === 'mute' ||
            manner === 'die' ||
            !running ||
            message.id === undefined ||
            message.method === undefined
          )
            return;
          if (message.method === server.deafTo) {
            server.unanswered.push(clock.now());
            return;
          }
          const reply = server.answers.get(String(message.method)) ?? answerTo(message, server);
          const give = () => running && say({ id: message.id as Json, ...reply });
          if (reply === undefined) calls.push(message);
          else if (manner === 'slow' && message.method === 'server/discover') clock.after(1_200, give);
          else queueMicrotask(give);
        },
        stderrTail: () => ['last words'],
        async stop() {
          stopped = true;
          await server.stopDelay;
          exit(0);
        },
      };
    },
  };
  return server;
}

function refused(startedAt: number): FakeProcess {
  return { startedAt, calls: [], stopped: false, fade() {}, exit() {}, say() {}, answer() {} };
}

function answerTo({ method, params }: JsonObject, { tools, listFault }: FakeServer): JsonObject | undefined {
  const cursor = isObject(params) ? params.cursor : undefined;
  if (cursor !== undefined) return { error: { code: -32603, message: 'lost the page' } };
  if (method === 'server/discover') return { error: { code: -32601, message: 'unknown' } };
  if (method === 'initialize')
    return {
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, completions: {} },
        serverInfo: { name: 'fake', version: '1' },
      },
    };
  if (method === 'tools/list') return { result: { tools, ...(listFault ? { nextCursor: '2' } : {}) } };
  if (method === 'prompts/list') return { result: { prompts: [] } };
  if (method === 'resources/list') return { result: { resources: [] } };
  if (method === 'resources/templates/list') return { result: { resourceTemplates: [] } };
  return undefined;
}

export interface WorldOptions {
  /** Of the entry in the configuration. */
  readonly server?: JsonObject;
  readonly random?: () => number;
  readonly known?: Known;
  readonly audience?: Audience;
  keep?(known: Known): void;
}

export function createWorld({ server: entry = {}, random = () => 0, known, audience, keep }: WorldOptions = {}) {
  const clock = createFakeClock();
  const server = createFakeServer(clock);
  const config = parseConfigValue({ mcpServers: { files: { command: 'x', ...entry } } }, { dir: '/', env: {} });
  const [definition] = [...config.servers.values()];
  if (definition === undefined) throw new Error('the configuration has a server');
  const link = new Link(
    {
      definition,
      identity: { name: 'w', version: '0' },
      clock,
      limits: config.limits,
      log: silentLog,
      redactor: createRedactor(),
      quirks: createServerQuirks(undefined),
      startLocal: server.startLocal,
      random,
    },
    {
      audience: () => audience ?? { sole: true, connected: [] },
      memory: { basis: () => '', find: () => known, keep: (heard) => keep?.(heard) },
    },
  );
  const states: string[] = [link.status.state];
  link.onStatus(() => {
    if (states.at(-1) !== link.status.state) states.push(link.status.state);
  });
  const listings: string[][] = [];
  link.onListingChanged((listing) => listings.push(listing.tools.map(({ name }) => name)));
  return {
    clock,
    server,
    link,
    states,
    listings,
    settle: () => clock.advance(0),
    /** Starts it and waits until that is decided. */
    async start(): Promise<unknown> {
      const outcome = link.start().then(
        () => 'ready',
        (error: unknown) => error,
      );
      await clock.advance(0);
      return outcome;
    },
    /** Begins a call; what comes of it is kept until the test asks. */
    call(call: Call): { outcome(): CallOutcome | WorkbenchError | undefined } {
      let outcome: CallOutcome | WorkbenchError | undefined;
      link.call(call).then(
        (value) => {
          outcome = value;
        },
        (error: WorkbenchError) => {
          outcome = error;
        },
      );
      return { outcome: () => outcome };
    },
    startTimes: () => server.processes.map(({ startedAt }) => startedAt),
  };
}

export type World = ReturnType<typeof createWorld>;
