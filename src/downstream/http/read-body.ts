/** Reads the body of an answer within bounds: as one text, or event by event. */
import { textOfParts } from '../../base/json/chunked-text.ts';
import type { ReadThrottle } from '../rpc/read-throttle.ts';
import type { HttpAnswer } from './client.ts';
import { createEventReader, type StreamEvent } from './event-stream.ts';

/** JSON on one line: between its parts a line break is white space like any other, and inside strings there is none. */
export function toOneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ').trim() : text;
}

/** Undefined when the body is larger than allowed. A body that breaks off counts as what came of it. */
export function readBodyText({ body }: HttpAnswer, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let held = 0;
    body.on('data', (part: Buffer) => {
      held += part.length;
      if (held <= maxBytes) parts.push(part);
      else {
        resolve(undefined);
        body.destroy();
      }
    });
    body.once('close', () => resolve(held > maxBytes ? undefined : toOneLine(textOfParts(parts, held))));
  });
}

export interface EventsRead {
  /** False when an event was larger than allowed. */
  readonly complete: boolean;
}

/** Resolves when the stream has ended, for any reason. */
export function readEvents(
  { body }: HttpAnswer,
  options: {
    maxLength: number;
    pace: ReadThrottle;
    onEvent(event: StreamEvent): void;
    onRetry?(delayMs: number): void;
  },
): Promise<EventsRead> {
  return new Promise((resolve) => {
    const reader = createEventReader({
      maxLength: options.maxLength,
      onEvent: options.onEvent,
      onRetry: (delayMs) => options.onRetry?.(delayMs),
      onOversize: () => {
        resolve({ complete: false });
        body.destroy();
      },
    });
    body.setEncoding('utf8');
    options.pace.read(body, (text: string) => reader.push(text));
    body.once('close', () => resolve({ complete: true }));
  });
}

/** Reads a body to its end and throws it away, so that the connection can be used again; a large body is not worth that. */
export function dropBody({ body, type }: HttpAnswer): void {
  // A stream may never end.
  if (type === 'text/event-stream') {
    body.destroy();
    return;
  }
  let held = 0;
  body.on('data', (part: Buffer | string) => {
    held += part.length;
    if (held > maxDropped) body.destroy();
  });
}

const maxDropped = 64 * 1024;
