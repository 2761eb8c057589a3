/**
 * Serves one client over a pipe, in either era: `initialize` opens the handshake era, a request that names its own version is
 * served statelessly. Every request gets exactly one answer, and nothing but JSON-RPC lines is ever written.
 */

import type { Readable, Writable } from 'node:stream';
import { quote } from '../base/brief.ts';
import { type Clock, systemClock, within } from '../base/clock.ts';
import { Eventual } from '../base/eventual.ts';
import type { FirstExchange } from '../base/first-exchange.ts';
import { leadingId } from '../base/leading-id.ts';
import { createLineReader } from '../base/lines.ts';
import type { Log } from '../base/log.ts';
import type { Text } from '../base/long-text.ts';
import { errorText, type RpcError, type RpcId, rpcCode, rpcError } from '../base/rpc.ts';
import type { StopSignal } from '../base/stop.ts';
import type { Front } from '../front/front.ts';
import { answerRequest } from './answer.ts';
import { askAgain } from './ask-again.ts';
import { createBoundedOutput } from './bounded-output.ts';
import type { ClientEdge } from './edge.ts';
import { createLegacyEdge, type LegacyEdge } from './legacy.ts';
import { type Message, parseLine, type Request } from './message.ts';
import { createModernEdge, isModernRequest } from './modern.ts';
import { toModernClient } from './modern-client.ts';
import { createOpening } from './opening.ts';
import { createParkedCalls } from './parked.ts';
import { createOpenRequests } from './requests.ts';
import { type TakeOptions, takeMessage } from './take-message.ts';
import { createTaskStore } from './tasks/task-store.ts';

export interface ServeStdioOptions {
  readonly front: Front;
  readonly identity: { readonly name: string; readonly version: string };
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Log;
  readonly maxMessageBytes?: number;
  /** Requests that may be open at once. */
  readonly maxRequests?: number;
  /** What may wait for a client that does not read before it is given up. */
  readonly maxPendingBytes?: number;
  readonly clock?: Clock;
  /** What the client was answered by somebody else, who had read the same input from its beginning. Emptied as it is read again. */
  readonly given?: FirstExchange[];
}

export interface StdioService {
  /** Resolves when the client has gone: its input has ended and what it had asked is answered, or its output is closed. */
  readonly done: Promise<void>;
  /** How the client began, with what it would be answered now. Waits for nothing that is not known. */
  opening(): Promise<readonly FirstExchange[]>;
  /** Stops serving: cancels what is open and takes nothing more. */
  close(): void;
}

const defaultMaxBytes = 64 * 1024 * 1024;
/** How long requests that are open when the input ends may still take. */
const drainMs = 8_000;
let pipes = 0;

export function serveStdio(options: ServeStdioOptions): StdioService {
  const { input, output, log } = options;
  const clock = options.clock ?? systemClock;
  const writer = createBoundedOutput(output, {
    maxBytes: options.maxPendingBytes ?? defaultMaxBytes,
    clock,
    log,
    frame: (message) => `${message}\n`,
    frameLong: (parts) => [...parts, '\n'],
    // For whoever listens it is as if the pipe had broken.
    cut: (reason) => output.destroy(reason),
  });
  const requests = createOpenRequests(options.maxRequests);
  const calls = createParkedCalls(clock);
  const tasks = createTaskStore(clock);
  const opening = createOpening(options.given);
  const edgeOptions = { front: options.front, identity: options.identity, localUser: true, tasks };
  // Whoever comes by another pipe is somebody else, whatever it calls itself.
  const principal = `pipe ${++pipes}`;
  let legacy: LegacyEdge | undefined;
  let modern: ClientEdge | undefined;
  let ended = false;

  const handle = (request: Request, signal: StopSignal) => {
    if (request.method === 'initialize') {
      legacy?.close();
      const opened = createLegacyEdge({ ...edgeOptions, clock, send: writer.send, principal: '' }, request);
      legacy = opened.edge;
      return opened.answer;
    }
    if (isModernRequest(request)) {
      const client = toModernClient(request, principal);
      modern ??= createModernEdge({ ...edgeOptions, calls, client });
      return modern.request(request, { signal, send: writer.send, client });
    }
    return legacy === undefined
      ? { error: noEra(request.method) }
      : legacy.request(request, { signal, send: writer.send });
  };

  const answering = { requests, log, handle };
  const answer = (request: Request) => answerRequest(request, answering);
  const taking: TakeOptions<Text> = {
    requests,
    get edge() {
      return legacy;
    },
    answer,
  };
  const take = (message: Message) => takeMessage(message, taking);

  const onLine = (line: string) => {
    const { batch, messages } = parseLine(line);
    if (!batch) for (const message of messages) answerOne(line, message);
    else if (legacy?.takesBatches === true) void answerBatch(messages);
    else
      writer.send(
        errorText(null, rpcError(rpcCode.invalidRequest, 'Batches are not part of the protocol version in use.')),
      );
  };
  const answerBatch = async (messages: readonly Message[]) => {
    const lines = await Promise.all(messages.flatMap((message) => take(message) ?? []));
    const given = lines.filter((text) => text !== undefined);
    if (given.length > 0) writer.send(`[${given.join(',')}]`);
  };
  const answerOne = (line: string, message: Message) => {
    const settle = opening.open ? opening.follow(line, message) : undefined;
    const answered = take(message);
    if (answered === undefined) return;
    if (settle === undefined) Eventual.of(answered).map(sendIfAny);
    else Eventual.of(answered).map((text) => sendIfAny(settle(text)));
  };
  const sendIfAny = (text: Text | undefined) => {
    if (text !== undefined) writer.send(text);
  };

  const reader = createLineReader({
    maxBytes: options.maxMessageBytes ?? defaultMaxBytes,
    onLine,
    onOversize(bytes, head) {
      const id = leadingId.exec(head)?.[1];
      const error = rpcError(rpcCode.invalidRequest, `A message of ${bytes} bytes is over the limit.`);
      writer.send(errorText(id === undefined ? null : (JSON.parse(id) as RpcId), error));
    },
  });

  const done = new Promise<void>((resolve) => {
    const finish = () => {
      if (ended) return;
      ended = true;
      reader.end();
      // No answer to a question comes any more.
      legacy?.silence();
      calls.close();
      // The last answers are queued behind the promises that were just resolved.
      void within(clock, drainMs, requests.idle()).then(() => setImmediate(resolve));
    };
    input.on('data', (chunk: Buffer) => reader.push(chunk));
    input.on('end', finish);
    input.on('close', finish);
    input.on('error', finish);
    // Whoever has read its beginning has stopped it there.
    input.resume();
    // Nobody reads any more: there is nothing to wait for.
    output.on('error', () => resolve());
    output.on('close', () => resolve());
  });

  return {
    done,
    opening: () =>
      askAgain(opening.questions, {
        front: options.front,
        clock,
        serve: (streams) => serveStdio({ ...options, ...streams, given: [] }),
      }),
    close() {
      input.removeAllListeners('data');
      modern?.close();
      legacy?.close();
      calls.close();
      tasks.close();
      requests.cancelAll();
      writer.flush();
      writer.close();
    },
  };
}

function noEra(method: string): RpcError {
  return rpcError(
    rpcCode.invalidRequest,
    `${quote(method)} came before the protocol version was agreed on: send 'initialize' first, or name the version in params._meta["io.modelcontextprotocol/protocolVersion"].`,
  );
}
