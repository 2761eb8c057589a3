/** The last events of a session, so that a client whose stream broke can have what it missed. Bounded in number and size. */

import type { FairShare } from '../../../base/async/fair-share.ts';

export interface StoredEvent {
  /** Which of the session's streams it was sent on. */
  readonly stream: string;
  /** Its place in that stream, from 1. */
  readonly place: number;
  readonly text: string;
}

export interface EventBuffer {
  add(event: StoredEvent): void;
  /** What a stream sent behind a place; `whole` is false when some of it is no longer there. */
  after(stream: string, place: number): { readonly events: readonly StoredEvent[]; readonly whole: boolean };
  /** The session is over. */
  clear(): void;
}

export interface EventBufferOptions {
  readonly events: number;
  readonly bytes: number;
  /** What all buffers may hold, and in whose name this one takes of it. */
  readonly room: FairShare;
  readonly owner: string;
}

export function createEventBuffer({ events: most, bytes: mostBytes, room, owner }: EventBufferOptions): EventBuffer {
  let events: StoredEvent[] = [];
  let bytes = 0;
  /** The last place of each stream that has lost events, as far as events of it are still there. */
  const lost = new Map<string, number>();
  const forget = ({ stream, place, text }: StoredEvent) => {
    bytes -= text.length;
    room.give(owner, text.length);
    lose(stream, place);
  };
  const lose = (stream: string, place: number) => {
    lost.delete(stream);
    lost.set(stream, place);
    // Streams that are long over need no more than to be unknown.
    if (lost.size > most) lost.delete(lost.keys().next().value as string);
  };
  return {
    add(event) {
      // What is not there for this session is taken from its own oldest events.
      while (!room.take(owner, event.text.length)) {
        const [oldest, ...others] = events;
        if (oldest === undefined) return lose(event.stream, event.place);
        events = others;
        forget(oldest);
      }
      events.push(event);
      bytes += event.text.length;
      let cut = 0;
      while (cut < events.length && (events.length - cut > most || bytes > mostBytes)) {
        forget(events[cut] as StoredEvent);
        cut++;
      }
      if (cut > 0) events = events.slice(cut);
    },
    after(stream, place) {
      const found = events.filter((event) => event.stream === stream && event.place > place);
      return { events: found, whole: (lost.get(stream) ?? 0) <= place };
    },
    clear() {
      for (const { text } of events) room.give(owner, text.length);
      events = [];
      bytes = 0;
    },
  };
}

/** `g-17`: the stream and the place in it. */
export function toEventId(stream: string, place: number): string {
  return `${stream}-${place}`;
}

export function parseEventId(id: string): { stream: string; place: number } | undefined {
  const [, stream, place] = /^(g|p\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream, place: Number(place) };
}
