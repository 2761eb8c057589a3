/** Where clients come in: the edges of both eras behind what a transport does with lines, and the real service of a pipe. */
import { PassThrough, Writable } from 'node:stream';
import type { Clock } from '../../../src/base/async/clock.ts';
import { errorText, type RpcId, resultText } from '../../../src/base/rpc/rpc.ts';
import { silentLog } from '../../../src/base/text/log.ts';
import type { Front } from '../../../src/front/front.ts';
import { Conversation } from '../../../src/serve/conversation/conversation.ts';
import { parseLine, type Request } from '../../../src/serve/conversation/message.ts';
import { toModernClient } from '../../../src/serve/edge/modern-client.ts';
import { createEras } from '../../../src/serve/eras.ts';
import { createModernEdge } from '../../../src/serve/modern/modern.ts';
import type { ParkedCalls } from '../../../src/serve/modern/parked-calls.ts';
import { serveFrontStdio } from '../../../src/serve/stdio.ts';
import { createTaskStore } from '../../../src/serve/tasks/task-store.ts';

export interface Door {
  receive(line: string): void;
  close(): void;
}

export interface DoorOptions {
  readonly front: Front;
  readonly clock: Clock;
  readonly principal: string;
  send(line: string): void;
}

const identity = { name: 'workbench', version: '1.0.0' };

/** One client of the handshake era, as over HTTP: all that it says and hears belongs to its session. */
export function createLegacyDoor({ send, ...options }: DoorOptions): Door {
  const tasks = createTaskStore(options.clock);
  const explainEarly = () => 'Too early.';
  const edges = createEras({ legacy: { ...options, identity, send, tasks }, explainEarly });
  const conversation = new Conversation({ log: silentLog, edges });
  return {
    receive(line) {
      for (const message of parseLine(line).messages)
        void conversation.receive(message, { send }).then((answered) => answered && send(String(answered.text)));
    },
    close() {
      conversation.requests.cancelAll();
      edges.close();
    },
  };
}

export interface ModernService {
  open(principal: string, send: (line: string) => void): Door;
  close(): void;
}

/** All clients of the stateless era, as over HTTP: one edge, of each request nothing is known but its principal. */
export function createModernService(options: { front: Front; calls: ParkedCalls; clock: Clock }): ModernService {
  const edgeOptions = { ...options, identity, tasks: createTaskStore(options.clock) };
  const shared = createModernEdge(edgeOptions);
  return {
    open(principal, send) {
      const open = new Map<RpcId, () => void>();
      const answer = async (request: Request) => {
        const control = new AbortController();
        const { signal } = control;
        const client = toModernClient(request, principal);
        // Each listens through an edge of its own.
        const own =
          request.method === 'subscriptions/listen' ? createModernEdge({ ...edgeOptions, client }) : undefined;
        open.set(request.id, () => {
          own?.close();
          control.abort();
        });
        const exchange = { signal, client, send: (line: string) => signal.aborted || send(line) };
        const outcome = await (own ?? shared).request(request, exchange);
        if (outcome === undefined) return;
        open.delete(request.id);
        if (signal.aborted) return;
        send('error' in outcome ? errorText(request.id, outcome.error) : resultText(request.id, outcome.result));
      };
      const cancel = (id: RpcId) => {
        open.get(id)?.();
        open.delete(id);
      };
      return {
        receive(line) {
          for (const message of parseLine(line).messages) {
            if (message.kind === 'request') void answer(message);
            else if (message.kind === 'notification') cancel(message.params.requestId as RpcId);
          }
        },
        close() {
          for (const id of [...open.keys()]) cancel(id);
        },
      };
    },
    close: () => shared.close(),
  };
}

/** The one client at a pipe. */
export function createPipeDoor({ front, clock, send }: Omit<DoorOptions, 'principal'>): Door {
  const input = new PassThrough();
  let rest = '';
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) send(line);
      done();
    },
  });
  const service = serveFrontStdio({ front, identity, input, output, log: silentLog, clock });
  return {
    receive: (line) => void input.write(`${line}\n`),
    close() {
      input.end();
      service.close();
    },
  };
}
