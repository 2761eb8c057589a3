/**
 * Serves one client over a pipe, in either era: `initialize` opens the handshake era, a request that names its own version is
 * served statelessly. Every request gets exactly one answer, and nothing but JSON-RPC lines is ever written.
 */

import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock, within } from '../base/async/clock.ts';
import { Busy } from '../base/errors/busy.ts';
import { findOuterId } from '../base/rpc/leading-id.ts';
import { errorText, rpcCode, rpcError } from '../base/rpc/rpc.ts';
import { quote } from '../base/text/error-text.ts';
import type { Log } from '../base/text/log.ts';
import type { Front } from '../front/front.ts';
import { joinAnswers } from './conversation/batch.ts';
import { createBoundedOutput } from './conversation/bounded-output.ts';
import { type Answered, Conversation } from './conversation/conversation.ts';
import { createInbox } from './conversation/inbox.ts';
import { type Invalid, type Message, parseLine, tooMuch } from './conversation/message.ts';
import { toModernClient } from './edge/modern-client.ts';
import { createEras } from './eras.ts';
import { createModernEdge } from './modern/modern.ts';
import { createParkedCalls } from './modern/parked-calls.ts';
import { createTaskStore } from './tasks/task-store.ts';

export interface ServeStdioOptions {
  readonly front: Front;
  readonly identity: { readonly name: string; readonly version: string };
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Log;
  /** The size of one message of the client, and how many values it may hold. */
  readonly maxMessageBytes?: number;
  readonly maxMessageValues?: number;
  /** Requests that may be open at once. */
  readonly maxRequests?: number;
  /** Bytes that may wait for a client that does not read before it is given up. */
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

export function serveFrontStdio(options: ServeStdioOptions): StdioService {
  const { input, output, log } = options;
  const clock = options.clock ?? systemClock;
  const writer = createBoundedOutput(output, {
    maxBytes: options.maxPendingBytes ?? defaultMaxPending,
    clock,
    log,
    frame: (message) => `${message}\n`,
    frameLong: (parts) => [...parts, '\n'],
    // Listeners see it as a broken pipe.
    cut: (reason) => output.destroy(reason),
  });
  const calls = createParkedCalls(clock);
  const tasks = createTaskStore(clock);
  const edgeOptions = { front: options.front, identity: options.identity, localUser: true, tasks };
  const edges = createEras({
    legacy: { ...edgeOptions, clock, send: writer.send, principal: '' },
    // A client at another pipe is another client, also under the same name.
    openModern: (first) =>
      createModernEdge({ ...edgeOptions, calls, client: toModernClient(first, `pipe ${++pipes}`) }),
    explainEarly,
  });
  const conversation = new Conversation({ log, maxRequests: options.maxRequests, edges });
  const { requests } = conversation;
  let ended = false;

  /** Not async: that would keep the line for as long as its call lasts. */
  const onLine = (line: string): Promise<void> => {
    const { batch, messages } = parseLine(line, options.maxMessageValues);
    const [message] = messages;
    if (batch || message === undefined) return answerBatch(messages);
    return conversation.receive(message, writer).then(sendAnswer);
  };
  const sendAnswer = (answered: Answered | undefined) => {
    if (answered !== undefined) writer.send(answered.text);
  };
  const answerBatch = async (messages: readonly Message[]) => {
    if (edges.legacy?.takesBatches !== true)
      return writer.send(
        errorText(null, rpcError(rpcCode.invalidRequest, 'Batches are not part of the protocol version in use.')),
      );
    const texts = await joinAnswers(messages, (message) => conversation.receive(message, writer));
    if (texts.length > 0) writer.send(`[${texts.join(',')}]`);
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
        edges.legacy?.silence();
        calls.close();
        // The last answers are queued behind the promises that were just resolved.
        void within(clock, drainMs, requests.idle()).then(() => setImmediate(resolve));
      });
    };
    input.on('data', inbox.push);
    input.on('end', finish);
    input.on('close', finish);
    input.on('error', finish);
    // A shim that could not reach its daemon has paused it.
    input.resume();
    // The client does not read any more: there is nothing to wait for.
    output.on('error', () => resolve());
    output.on('close', () => resolve());
  });

  return {
    done,
    close() {
      input.removeAllListeners('data');
      inbox.close();
      edges.close();
      calls.close();
      tasks.close();
      requests.cancelAll();
      writer.flush();
      writer.close();
    },
  };
}

function explainEarly(method: string): string {
  return `${quote(method)} came before the protocol version was agreed on: send 'initialize' first, or name the version in params._meta["io.modelcontextprotocol/protocolVersion"].`;
}
