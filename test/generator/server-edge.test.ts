// @module-tag chance
import { describe, expect, it } from 'vitest';
import type { Call, Outcome } from '../../src/base/call/call.ts';
import { WorkbenchError } from '../../src/base/errors/errors.ts';
import { isObject, type Json, type JsonObject } from '../../src/base/json/json.ts';
import { createLineReader } from '../../src/base/rpc/lines.ts';
import { silentLog } from '../../src/base/text/log.ts';
import type { ServerDefinition } from '../../src/config/model/config.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';
import { Connection } from '../../src/downstream/connection/connection.ts';
import { beforeHandshake } from '../../src/downstream/connection/handshake.ts';
import { createLegacyEdge } from '../../src/downstream/era/legacy.ts';
import { createModernEdge } from '../../src/downstream/era/modern.ts';
import { RpcPeer } from '../../src/downstream/rpc/rpc-peer.ts';
import { buildCall } from '../downstream/fake-server.ts';
import { type Era, eras } from '../flows/support.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { findFault, parseLine } from '../support/wire-check.ts';
import { linesOf } from './expected.ts';
import { createRandom, messages, seed } from './random.ts';
import { createServerGrammar } from './server-grammar.ts';
import { show, shrink } from './shrink.ts';

const maxBytes = 100_000;
const together = 100;
const callsAtOnce = 5;
const identity = { name: 'workbench', version: '1' };
const definition = { key: 's', name: 's', timeoutMs: 1_000 } as ServerDefinition;
const capabilities = { tools: { listChanged: true }, logging: {} };

/** A connection to a server whose every byte is given. */
function startConnection(era: Era) {
  const sent: string[] = [];
  const told: string[] = [];
  const tell = (what: unknown) => void told.push(JSON.stringify(what) ?? '');
  const peer = new RpcPeer(
    { server: 's', send: ({ line }) => void sent.push(String(line)), onNoise: tell },
    beforeHandshake,
  );
  const clock = createFakeClock();
  const edge =
    era === 'legacy'
      ? createLegacyEdge(peer, { protocolVersion: '2025-11-25', capabilities }, {})
      : createModernEdge(peer, { supportedVersions: ['2026-07-28'], capabilities }, { identity, declared: {}, clock });
  if (edge === undefined) throw new Error('no edge');
  const events = { onListAnnounced: tell, onUpdated: tell, onLeftOut: tell };
  const company = { connected: () => [], hold: () => () => {}, onNeed: tell };
  const live = new Connection(
    { definition, clock, limits: defaultLimits, log: silentLog },
    { edge, peer, events, company },
  );
  peer.attach({ notified: live.notified.bind(live), asked: live.asked, refuses: () => false });
  const reader = createLineReader({
    maxBytes,
    onLine: (line) => peer.receive(line),
    onOversize: (bytes, head) => peer.lose(head, new WorkbenchError('WB1012', `${bytes} bytes`)),
  });

  return {
    /** Begins some calls; gives their ids and their ends. */
    begin(): { open: number[]; ends: Promise<unknown>[] } {
      const from = sent.length;
      const ends = Array.from({ length: callsAtOnce }, () =>
        live.call(toCall(tell)).then(undefined, (error: unknown) => error),
      );
      const open = sent.slice(from).map((line) => Number(parseLine(line)?.id));
      return { open, ends };
    },
    push: (bytes: Buffer) => reader.push(bytes),
    /** What was sent to the server since this was asked last. */
    takeSent: () => sent.splice(0),
  };
}

function toCall(tell: (what: unknown) => void): Call {
  return buildCall({
    params: { name: 'echo' },
    wantsProgress: true,
    logLevel: 'info',
    notify: (_kind, params) => tell(params),
    ask: async (question) => {
      tell(question);
      return { result: { action: 'decline' } };
    },
  });
}

/** One round: calls, whatever the server says, honest answers to what is left; gives what went wrong. */
async function play(connection: ReturnType<typeof startConnection>, make: (open: readonly number[]) => Buffer[]) {
  const { open, ends } = connection.begin();
  const asked = connection.takeSent();
  const parts = make(open);
  const bytes = Buffer.concat(parts.flatMap((part) => [part, newline]));
  const problems: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += 16_384) connection.push(bytes.subarray(at, at + 16_384));
    for (const id of open) connection.push(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n`));
  } catch (error) {
    problems.push(`it threw ${error}`);
  }
  const settled = await Promise.race([Promise.all(ends), soon()]);
  if (settled === undefined) problems.push('a call was never answered');
  else problems.push(...settled.flatMap(findOdd));
  // What the server asked is answered a moment later.
  await soon();
  const replies = connection.takeSent();
  for (const line of [...asked, ...replies]) {
    const fault = findFault(line);
    if (fault !== undefined) problems.push(`a line to the server ${fault}: ${line.slice(0, 200)}`);
  }
  problems.push(...findUnanswered(linesOf(bytes), replies));
  return { problems, parts };
}

const newline = Buffer.from('\n');
const soon = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  return undefined;
};

/** A call ends with an answer, or with an error of ours that says why. */
function findOdd(end: unknown): string[] {
  if (end instanceof WorkbenchError) return [];
  const outcome = end as Outcome;
  if (isObject(end) && ('error' in outcome || typeof outcome.result?.text === 'string')) return [];
  return [`a call ended with ${String(end)}`];
}

/** Questions of the server that did not get their one answer. */
function findUnanswered(lines: readonly string[], replies: readonly string[]): string[] {
  const wanted = new Map<string, number>();
  for (const line of lines) {
    const message = Buffer.byteLength(line) > maxBytes ? undefined : parseLine(line);
    if (message === undefined || !isQuestion(message)) continue;
    const key = JSON.stringify(message.id);
    wanted.set(key, (wanted.get(key) ?? 0) + 1);
  }
  // What the server takes back is not answered.
  for (const line of lines) {
    for (const { params } of line.includes('notifications/cancelled') ? messagesOf(line) : [])
      if (isObject(params)) wanted.delete(JSON.stringify(params.requestId));
  }
  const got = new Map<string, number>();
  for (const reply of replies) {
    const key = JSON.stringify(parseLine(reply)?.id);
    got.set(key, (got.get(key) ?? 0) + 1);
  }
  return [...wanted].flatMap(([key, count]) =>
    // In a batch there may be more of the same.
    (got.get(key) ?? 0) < count
      ? [`${got.get(key) ?? 0} of ${count} answers to the question ${key.slice(0, 100)}`]
      : [],
  );
}

/** What a line holds: one message, or those of a batch. */
function messagesOf(line: string): JsonObject[] {
  try {
    return [JSON.parse(line) as Json].flat().filter(isObject);
  } catch {
    return [];
  }
}

function isQuestion(message: JsonObject): boolean {
  const own = (key: string): Json | undefined => (Object.hasOwn(message, key) ? message[key] : undefined);
  const id = own('id');
  return typeof own('method') === 'string' && (typeof id === 'string' || Number.isSafeInteger(id));
}

describe('whatever a server sends', () => {
  it.each(eras)(
    'ends every call once and gets its questions answered, %s',
    async (era) => {
      const random = createRandom(seed);
      const grammar = createServerGrammar(random);
      const connection = startConnection(era);
      const make = (open: readonly number[]) => Array.from({ length: together }, () => grammar.next(open));
      for (let sent = 0; sent < messages; sent += together) {
        const { problems, parts } = await play(connection, make);
        if (problems.length === 0) continue;
        const fails = async (some: readonly Buffer[]) =>
          (await play(startConnection(era), () => [...some])).problems.length > 0;
        const smallest = (await fails(parts)) ? await shrink(parts, fails) : parts;
        expect.fail(`seed ${seed}, messages ${sent}+: ${problems.slice(0, 5).join('; ')}\n${show(smallest)}`);
      }
      process.stderr.write(`generator: ${messages} messages from a server (${era}), seed ${seed}\n`);
    },
    120_000,
  );
});
