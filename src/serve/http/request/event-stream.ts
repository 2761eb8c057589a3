/** An answer that goes on: server-sent events, with a sign of life when there is nothing to say. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/async/clock.ts';
import type { FairShare } from '../../../base/async/fair-share.ts';
import type { Log } from '../../../base/text/log.ts';
import { createBoundedOutput } from '../../conversation/bounded-output.ts';
import type { HttpLimits } from '../limits.ts';
import { eventsType } from './content.ts';

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
export interface StreamContext {
  readonly clock: Clock;
  readonly limits: HttpLimits;
  readonly log: Log;
  /** The event streams of the service, by owner. */
  readonly streams: FairShare;
}

/** Begins the answer; undefined when there are too many streams, and then nothing has been sent. */
export function openEventStream(
  response: ServerResponse,
  { clock, limits, log, streams }: StreamContext,
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
