/**
 * Serves one client over a pipe, in either era: `initialize` opens the handshake era, a request that names its own version is
 * served statelessly. Every request gets exactly one answer, and nothing but JSON-RPC lines is ever written.
 */

import type { Readable, Writable } from 'node:stream';
import { quote } from '../base/brief.ts';
import { Busy } from '../base/busy.ts';
import { type Clock, systemClock, within } from '../base/clock.ts';
import { Eventual, type Later } from '../base/eventual.ts';
import { findOuterId } from '../base/leading-id.ts';
import type { Log } from '../base/log.ts';
import type { Text } from '../base/long-text.ts';
import { Payload } from '../base/payload.ts';
import { errorText, type RpcError, rpcCode, rpcError } from '../base/rpc.ts';
import type { StopSignal } from '../base/stop.ts';
import type { Front } from '../front/front.ts';
import { answerRequest } from './answer.ts';
import { joinAnswers } from './batch.ts';
import { createBoundedOutput } from './bounded-output.ts';
import type { ClientEdge } from './edge.ts';
import { findReturn } from './find-return.ts';
import { createInbox } from './inbox.ts';
import { createLegacyEdge, type LegacyEdge } from './legacy.ts';
import { type Invalid, type Message, parseLine, type Request, tooMuch } from './message.ts';
import { createModernEdge, isModernRequest } from './modern.ts';
import { toModernClient } from './modern-client.ts';
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
  /** Of one message of the client, and how many values it may hold. */
  readonly maxMessageBytes?: number;
  readonly maxMessageValues?: number;
  /** Requests that may be open at once. */
  readonly maxRequests?: number;
  /** What may wait for a client that does not read before it is given up. */
  readonly maxPendingBytes?: number;
  readonly clock?: Clock;
}

export interface StdioService {
  /** Resolves when the client has gone: its input has ended and what it had asked is answered, or its output is closed. */
  readonly done: Promise<void>;
  /** Stops serving: cancels what is open and takes nothing more. */
  close(): void;
}

const defaultMaxBytes = 8 * 1024 * 1024;
const defaultMaxPending = 64 * 1024 * 1024;
/** How long requests that are open when the input ends may still take. */
const drainMs = 8_000;
let pipes = 0;

export function serveStdio(options: ServeStdioOptions): StdioService {
  const { input, output, log } = options;
  const clock = options.clock ?? systemClock;
  const writer = createBoundedOutput(output, {
    maxBytes: options.maxPendingBytes ?? defaultMaxPending,
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
  const edgeOptions = { front: options.front, identity: options.identity, localUser: true, tasks };
  // Whoever comes by another pipe is somebody else, whatever it calls itself.
  const principal = `pipe ${++pipes}`;
  let legacy: LegacyEdge | undefined;
  let modern: ClientEdge | undefined;
  let ended = false;

  const handle = (request: Request, signal: StopSignal) => {
    const returning = findReturn(options.front, request);
    if (returning !== undefined) return { error: returning };
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
    if (legacy !== undefined) return legacy.request(request, { signal, send: writer.send });
    // Whether anybody is there may be asked at any time.
    return request.method === 'ping' ? { result: Payload.of({}) } : { error: noEra(request.method) };
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

  const onLine = (line: string): Later<unknown> | undefined => {
    const { batch, messages } = parseLine(line, options.maxMessageValues);
    const [message] = messages;
    if (!batch) return message === undefined ? undefined : answerOne(message);
    if (legacy?.takesBatches === true) return answerBatch(messages);
    writer.send(
      errorText(null, rpcError(rpcCode.invalidRequest, 'Batches are not part of the protocol version in use.')),
    );
    return undefined;
  };
  const answerBatch = async (messages: readonly Message[]) => {
    const given = await joinAnswers(messages, take);
    if (given.length > 0) writer.send(`[${given.join(',')}]`);
  };
  const answerOne = (message: Message) => {
    const answered = take(message);
    return answered === undefined ? undefined : Eventual.of(answered).map(sendIfAny);
  };
  const sendIfAny = (text: Text | undefined) => {
    if (text !== undefined) writer.send(text);
  };

  const maxBytes = options.maxMessageBytes ?? defaultMaxBytes;
  const refuse = ({ id, error }: Invalid) => writer.send(errorText(id, error));
  const inbox = createInbox({
    input,
    maxBytes,
    onLine,
    onOversize: (bytes, head, tail) =>
      refuse(
        tooMuch(
          findOuterId(head, tail),
          `A message of ${bytes} bytes is over the limit of ${maxBytes} ("requestBytes" in "limits"). Send less at once.`,
        ),
      ),
    onCrowded: (head, tail) =>
      writer.send(
        errorText(findOuterId(head, tail), new Busy('too many large messages are sent at once.').toRpcError()),
      ),
  });

  const done = new Promise<void>((resolve) => {
    const finish = () => {
      if (ended) return;
      ended = true;
      inbox.end(() => {
        // No answer to a question comes any more.
        legacy?.silence();
        calls.close();
        // The last answers are queued behind the promises that were just resolved.
        void within(clock, drainMs, requests.idle()).then(() => setImmediate(resolve));
      });
    };
    input.on('data', (chunk: Buffer) => inbox.push(chunk));
    input.on('end', finish);
    input.on('close', finish);
    input.on('error', finish);
    // A shim that could not reach its daemon has paused it.
    input.resume();
    // Nobody reads any more: there is nothing to wait for.
    output.on('error', () => resolve());
    output.on('close', () => resolve());
  });

  return {
    done,
    close() {
      input.removeAllListeners('data');
      inbox.close();
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
