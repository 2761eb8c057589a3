/**
 * The answer to one POST: a plain JSON document when there is nothing but the answer, an event stream from the first message
 * that comes before it. A request that stays silent for long becomes a stream too, so that nothing in between gives it up.
 */
import type { ServerResponse } from 'node:http';
import { type EventStream, openEventStream, type ServerEvent, type StreamContext } from './event-stream.ts';
import { type JsonAnswer, sendEmpty, sendJson } from './refusal.ts';

export interface Reply {
  /** It has become a stream, which may have broken since. */
  readonly streaming: boolean;
  /** A message before the answer; lost when there are too many streams already, because an answer is worth more. */
  send(event: ServerEvent): void;
  /** The answer; as the last event when it has become a stream. */
  finish(text: string, options?: JsonAnswer): void;
  /** There will be no answer. */
  end(): void;
}

/** `prime` is the first event of the stream, where there has to be one. */
export function createReply(
  response: ServerResponse,
  ground: StreamContext,
  owner: string,
  prime?: ServerEvent,
): Reply {
  let stream: EventStream | undefined;
  const begin = (): EventStream | undefined => {
    if (stream !== undefined || response.headersSent || response.destroyed) return stream;
    cancelSilence();
    stream = openEventStream(response, ground, owner);
    if (prime !== undefined) stream?.send(prime);
    return stream;
  };
  // A client that left is not noticed here: `begin` sees it.
  const cancelSilence = ground.clock.after(ground.limits.keepAliveMs, begin);
  return {
    get streaming() {
      return stream !== undefined;
    },
    send: (event) => begin()?.send(event),
    finish(text, options = {}) {
      cancelSilence();
      if (stream === undefined) sendJson(response, text, { stallMs: ground.limits.stallMs, ...options });
      else {
        stream.send({ data: text });
        stream.end();
      }
    },
    end() {
      cancelSilence();
      if (stream === undefined) sendEmpty(response, 202);
      else stream.end();
    },
  };
}
