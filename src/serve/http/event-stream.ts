/** An answer that goes on: server-sent events, with a sign of life when there is nothing to say. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Slots } from '../../base/slots.ts';
import { eventsType } from './content.ts';
import type { HttpLimits } from './limits.ts';

export interface ServerEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: string;
}

export interface EventStream {
  readonly open: boolean;
  send(event: ServerEvent): void;
  end(): void;
}

/** What every answer of one service needs. */
export interface StreamGround {
  readonly clock: Clock;
  readonly limits: HttpLimits;
  /** Of the event streams of the service. */
  readonly slots: Slots;
}

/** Begins the answer; undefined when there are too many streams, and then nothing has been sent. */
export function openEventStream(
  response: ServerResponse,
  { clock, limits, slots }: StreamGround,
  headers: OutgoingHttpHeaders = {},
): EventStream | undefined {
  const giveBack = slots.take();
  if (giveBack === undefined) return undefined;
  let open = true;
  let cancelKeepAlive = () => {};
  const stop = () => {
    open = false;
    cancelKeepAlive();
    giveBack();
  };
  const keepAlive = () => {
    cancelKeepAlive = clock.after(limits.keepAliveMs, () => {
      write(':\n\n');
      if (open) keepAlive();
    });
  };
  const write = (text: string) => {
    if (!open) return;
    if (response.writableLength > limits.pendingBytes) response.destroy();
    else response.write(text);
  };
  response.on('close', stop);
  response.writeHead(200, {
    'content-type': eventsType,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...headers,
  });
  response.flushHeaders();
  keepAlive();
  return {
    get open() {
      return open;
    },
    send: ({ event = 'message', id, data }) =>
      write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${toOneLine(data)}\n\n`),
    end() {
      if (!open) return;
      stop();
      response.end();
    },
  };
}

/** In a JSON text line breaks stand between tokens only, where a space means the same. */
function toOneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ') : text;
}
