/**
 * Server-sent events from text as it arrives, in time linear in its length however it is cut.
 * Line breaks inside an event's data become spaces: what is in it is passed on as one line of JSON.
 */

export interface StreamEvent {
  /** `message` when the event does not say. */
  readonly event: string;
  /** Empty for an event that only carries an id. */
  readonly data: string;
  /** Of this event or, when it has none, of the last one that had. */
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

export function createEventReader(handlers: EventHandlers): { push(text: string): void } {
  let pieces: string[] = [];
  let data: string[] = [];
  let held = 0;
  let event = '';
  let id: string | undefined;
  let named = false;
  let afterReturn = false;
  let first = true;
  let over = false;

  const dispatch = () => {
    if (data.length > 0 || named)
      handlers.onEvent({ event: event === '' ? 'message' : event, data: data.join(' '), id });
    data = [];
    event = '';
    named = false;
    held = 0;
  };

  const take = (line: string) => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) {
      id = value === '' ? undefined : value;
      named = id !== undefined;
    } else if (field === 'retry' && /^\d{1,9}$/.test(value)) handlers.onRetry(Number(value));
  };

  const finishLine = () => {
    const line = pieces.length === 1 ? (pieces[0] as string) : pieces.join('');
    pieces = [];
    take(first ? line.replace(/^\ufeff/, '') : line);
    first = false;
  };

  const keep = (piece: string) => {
    if (piece === '') return;
    held += piece.length;
    over = held > handlers.maxLength;
    if (over) handlers.onOversize();
    else pieces.push(piece);
  };

  return {
    push(text) {
      let start = 0;
      if (afterReturn && text.startsWith('\n')) start = 1;
      if (text !== '') afterReturn = false;
      const breaks = /\r\n|\r|\n/g;
      breaks.lastIndex = start;
      for (let found = breaks.exec(text); found !== null && !over; found = breaks.exec(text)) {
        keep(text.slice(start, found.index));
        if (over) return;
        start = breaks.lastIndex;
        finishLine();
        // The other half of this break may come with the next piece.
        afterReturn = found[0] === '\r' && start === text.length;
      }
      if (!over) keep(text.slice(start));
    },
  };
}
