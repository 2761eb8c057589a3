/** A connection to a server that a test plays, line by line, on a clock that stands still. */

import type { CancelSignal } from '../../src/base/async/cancel-token.ts';
import { createEmitter } from '../../src/base/async/emitter.ts';
import type { Call, CallTask, Client, ClientFeatures, LogLevel, Resume } from '../../src/base/call/call.ts';
import type { Answer, Question } from '../../src/base/call/question.ts';
import type { Json, JsonObject } from '../../src/base/json/json.ts';
import { silentLog } from '../../src/base/text/log.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { Connection } from '../../src/downstream/connection/connection.ts';
import { beforeHandshake } from '../../src/downstream/connection/handshake.ts';
import type { ServerEdge } from '../../src/downstream/era/edge.ts';
import { createLegacyEdge } from '../../src/downstream/era/legacy.ts';
import { createModernEdge } from '../../src/downstream/era/modern.ts';
import type { Company, Need } from '../../src/downstream/questions/company.ts';
import { RpcPeer } from '../../src/downstream/rpc/rpc-peer.ts';
import { createFakeClock } from '../support/fake-clock.ts';

export const timeoutMs = 60_000;

export interface Asked {
  readonly question: Question;
  readonly signal: CancelSignal | undefined;
  answer(answer: Answer): void;
}

export interface FakeSession extends Client {
  readonly told: [string, JsonObject][];
  /** What it was asked outside of any call. */
  readonly asked: Asked[];
  leave(): void;
}

/** A client that stays connected until it leaves, and what it is told. */
export function createSession(name: string, logLevel?: LogLevel): FakeSession {
  const told: [string, JsonObject][] = [];
  const asked: Asked[] = [];
  const left = createEmitter<void>();
  return {
    name,
    principal: '',
    told,
    asked,
    leave: () => left.emit(),
    session: {
      capabilities: {},
      logLevel,
      ask: (question, signal) => new Promise((answer) => asked.push({ question, signal, answer })),
      tell: (method, params) => told.push([method, params]),
      onRootsChanged: () => () => {},
      onClose: left.on,
    },
  };
}

const nobody: Client = { name: 'client', principal: '' };

/** The parts of a call, those of its groups by their own names. */
export type CallParts = Partial<
  Omit<Call, 'features' | 'resume' | 'task'> & ClientFeatures & Resume & Pick<CallTask, 'onTask'>
> & { readonly task?: CallTask['wish'] };

export function buildCall({ task: wish, onTask, round, awaitsUrl = false, ...parts }: CallParts = {}): Call {
  const { capabilities = {}, takesQuestions = false, opensUrls = false, logLevel, ...rest } = parts;
  return {
    method: 'tools/call',
    params: { name: 'tool' },
    client: nobody,
    features: { capabilities, takesQuestions, opensUrls, logLevel },
    resume: round === undefined && !awaitsUrl ? undefined : { round, awaitsUrl },
    task: wish === undefined && onTask === undefined ? undefined : { wish, ...(onTask && { onTask }) },
    signal: new AbortController().signal,
    wantsProgress: false,
    notify() {},
    ask: () => new Promise(() => {}),
    ...rest,
  };
}

/** A call that keeps what is asked of its client until the test answers it. */
export function buildAskedCall(parts: CallParts = {}) {
  const asked: Asked[] = [];
  const call = buildCall({
    ask: (question, signal) => new Promise((answer) => asked.push({ question, signal, answer })),
    ...parts,
  });
  return { call, asked };
}

export interface FakeOptions {
  readonly era?: 'legacy' | 'modern';
  readonly company?: Partial<Company>;
  readonly declared?: JsonObject;
  /** What the server says it offers. */
  readonly capabilities?: JsonObject;
}

export function startFake({ era = 'legacy', company = {}, declared = {}, capabilities = {} }: FakeOptions = {}) {
  const clock = createFakeClock();
  const sent: JsonObject[] = [];
  const needs: Need[] = [];
  const leftOut: string[] = [];
  const noise: string[] = [];
  const updated: string[] = [];
  const config = parseConfigValue({ mcpServers: { files: { command: 'x', timeoutMs } } }, { dir: '/', env: {} });
  const [definition] = [...config.servers.values()];
  if (definition === undefined) throw new Error('the configuration has a server');
  const peer = new RpcPeer(
    { send: ({ line }) => sent.push(JSON.parse(String(line)) as JsonObject), onNoise: (line) => noise.push(line) },
    beforeHandshake,
  );
  const identity = { name: 'w', version: '0' };
  const edge =
    era === 'legacy'
      ? createLegacyEdge(peer, { protocolVersion: '2025-11-25', capabilities }, declared)
      : createModernEdge(peer, { supportedVersions: ['2026-07-28'] }, { identity, declared, clock });
  const connection = new Connection(
    { definition, clock, limits: defaultLimits, log: silentLog },
    {
      edge: edge as ServerEdge,
      peer,
      events: {
        onListAnnounced() {},
        onUpdated: (uri) => updated.push(uri),
        onLeftOut: (message) => leftOut.push(message),
      },
      company: { connected: () => [], hold: () => () => {}, onNeed: (need) => needs.push(need), ...company },
    },
  );
  peer.attach(connection);
  sent.length = 0;
  return {
    connection,
    peer,
    clock,
    sent,
    needs,
    leftOut,
    noise,
    updated,
    settle: () => clock.advance(0),
    /** The requests that were sent, most recent last. */
    requests: () => sent.filter(({ id, method }) => id !== undefined && method !== undefined),
    /** What the server was answered under one id. */
    answers: (id: Json) => sent.filter((message) => message.id === id && message.method === undefined),
    /** The server asks. */
    ask: (id: Json, method: string, params?: Json, stream?: number) =>
      peer.receive(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }), stream),
    say: (method: string, params: JsonObject, stream?: number) =>
      peer.receive(JSON.stringify({ jsonrpc: '2.0', method, params }), stream),
    /** The server answers a request of ours. */
    answer: (id: Json | undefined, result: JsonObject) => peer.receive(JSON.stringify({ jsonrpc: '2.0', id, result })),
    refuse: (id: Json | undefined, error: JsonObject) => peer.receive(JSON.stringify({ jsonrpc: '2.0', id, error })),
  };
}
