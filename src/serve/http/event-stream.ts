/** An answer that goes on: server-sent events, with a sign of life when there is nothing to say. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Shares } from '../../base/shares.ts';
import { createBoundedOutput } from '../bounded-output.ts';
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
  readonly log: Log;
  /** The event streams of the service, by owner. */
  readonly streams: Shares;
}

/** Begins the answer; undefined when there are too many streams, and then nothing has been sent. */
export function openEventStream(
  response: ServerResponse,
  { clock, limits, log, streams }: StreamGround,
  owner: string,
): EventStream | undefined {
  if (!streams.take(owner)) return undefined;
  let open = true;
  let cancelKeepAlive = () => {};
  const stop = () => {
    if (open) streams.give(owner);
    open = false;
    cancelKeepAlive();
  };
  const output = createBoundedOutput(response, {
    maxBytes: limits.pendingBytes,
    clock,
    log,
    frame: (data) => toText({ data }),
    cut: () => response.destroy(),
  });
  const keepAlive = () => {
    cancelKeepAlive = clock.after(limits.keepAliveMs, () => {
      if (output.waiting === 0) output.send('', ':\n\n');
      keepAlive();
    });
  };
  response.on('close', () => {
    stop();
    output.close();
  });
  response.writeHead(200, {
    'content-type': eventsType,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  keepAlive();
  return {
    get open() {
      return open;
    },
    send(event) {
      // What is told later than its turn has no place among the events: it is framed without its id.
      if (open) output.send(event.data, toText(event));
    },
    end() {
      if (!open) return;
      stop();
      output.end();
    },
  };
}

function toText({ event = 'message', id, data }: ServerEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${toOneLine(data)}\n\n`;
}

/** In a JSON text line breaks stand between tokens only, where a space means the same. */
function toOneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ') : text;
}
