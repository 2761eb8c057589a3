/**
 * Server-sent events from text as it arrives, in time linear in its length however it is cut.
 * Line breaks inside an event's data become spaces: the data is passed on as one line of JSON.
 */
import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  /** `message` when the event does not say. */
  readonly event: string;
  /** Empty for an event that only carries an id. */
  readonly data: string;
  /** The id of this event or, when it has none, of the last event that had one. */
  readonly id: string | undefined;
}

export interface EventHandlers {
  /** Characters one event may have. */
  readonly maxLength: number;
  onEvent(event: StreamEvent): void;
  /** How long the server wants us to wait before we come back. */
  onRetry(delayMs: number): void;
  /** An event was longer than allowed; nothing is read any more. */
  onOversize(): void;
}

/**
 * The parser passes over an event that has an id and no data, although a stream can be resumed after it. So each event gets
 * one more data line, which is empty and taken off again.
 */
const endOfEvent = 'data\n\n';
const maxRetryMs = 999_999_999;

export function createEventReader(handlers: EventHandlers): { push(text: string): void } {
  let held = 0;
  let lastId: string | undefined;
  let [isFirst, atLineStart, afterReturn, isOver] = [true, true, false, false];

  const parser = createParser({
    onRetry: (delayMs) => delayMs <= maxRetryMs && handlers.onRetry(delayMs),
    onEvent({ event = 'message', data, id }) {
      if (id !== undefined) lastId = id === '' ? undefined : id;
      // Our own data line is all there is: the event has neither data nor an id.
      if (data === '' && (id ?? '') === '') return;
      handlers.onEvent({ event, data: data.slice(0, -1).replaceAll('\n', ' '), id: lastId });
    },
  });

  /** The parser scans the rest of a text again for each line as soon as there is a return in it. */
  const toNewlines = (text: string) => {
    const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    afterReturn = text === '' ? afterReturn : text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };

  /** Lines of one event, or the beginning of one. */
  const feed = (part: string) => {
    if (part === '') return;
    held += part.length;
    isOver = held > handlers.maxLength;
    if (isOver) return handlers.onOversize();
    atLineStart = part.endsWith('\n');
    parser.feed(part);
  };

  return {
    push(given) {
      let text = toNewlines(isFirst ? given.replace(/^\ufeff/, '') : given);
      isFirst &&= given === '';
      while (!isOver) {
        const isBlank = atLineStart && text.startsWith('\n');
        const end = isBlank ? 0 : text.indexOf('\n\n') + 1;
        const isEnd = isBlank || end > 0;
        feed(isEnd ? text.slice(0, end) : text);
        if (!isEnd || isOver) return;
        if (held > 0) parser.feed(endOfEvent);
        held = 0;
        text = text.slice(end + 1);
      }
    },
  };
}
