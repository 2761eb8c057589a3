/**
 * One handshake-era client over HTTP. Its messages arrive in POSTs of their own; what it is told travels on the stream it belongs
 * to, and waits in a buffer when that stream is broken: a connection that ends does not cancel anything here.
 */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../base/async/clock.ts';
import type { FairShare } from '../../../base/async/fair-share.ts';
import type { Outcome } from '../../../base/call/call.ts';
import type { Log } from '../../../base/text/log.ts';
import type { Front } from '../../../front/front.ts';
import { type Answered, Conversation } from '../../conversation/conversation.ts';
import type { Message, Request } from '../../conversation/message.ts';
import type { OpenRequests } from '../../conversation/requests.ts';
import { createLegacyEdge, type LegacyEdge } from '../../legacy/legacy.ts';
import type { TaskStore } from '../../tasks/task-store.ts';
import type { HttpLimits } from '../limits.ts';
import type { EventStream, ServerEvent } from '../request/event-stream.ts';
import { createEventBuffer, type EventBuffer, parseEventId, toEventId } from './event-buffer.ts';

/** Where the events of a stream go now. */
type Outlet = Pick<EventStream, 'send' | 'end'> & { readonly open?: boolean };

/** One logical stream: the general one (`g`), or that of a POST (`p1` …). It outlives the connections that carry it. */
interface Channel {
  readonly key: string;
  place: number;
  outlet: Outlet | undefined;
}

export interface LegacySessionOptions {
  readonly front: Front;
  readonly identity: { readonly name: string; readonly version: string };
  readonly initialize: Request;
  readonly principal: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: HttpLimits;
  readonly tasks: TaskStore;
  /** The room for the bytes that it keeps. */
  readonly kept: { readonly room: FairShare; readonly owner: string };
}

/** What a resumed or general stream finds. */
export type Attachment = 'attached' | 'over' | 'taken' | 'unknown';

export class LegacySession {
  /** Not to be guessed: a client that has it, and is authenticated as its owner, can go on with the session. */
  readonly id = randomBytes(32).toString('base64url');
  /** What to answer to `initialize`. */
  readonly answer: Outcome;
  readonly #conversation: Conversation;
  readonly #edge: LegacyEdge;
  readonly #limits: HttpLimits;
  readonly #buffer: EventBuffer;
  readonly #general: Channel = { key: 'g', place: 0, outlet: undefined };
  /** The streams of POSTs that are not answered yet. */
  readonly #channels = new Map<string, Channel>([['g', this.#general]]);
  readonly #standing = new Set<Outlet>();
  /** The last place of the general stream whose event was sent to the client. */
  #told = 0;
  #posts = 0;

  constructor({ initialize, log, limits, kept, ...options }: LegacySessionOptions) {
    this.#limits = limits;
    this.#buffer = createEventBuffer({ events: limits.bufferedEvents, bytes: limits.bufferedBytes, ...kept });
    const send = (text: string) => this.#push(this.#general, text);
    const { edge, answer } = createLegacyEdge({ ...options, send }, initialize);
    this.#edge = edge;
    this.answer = answer;
    const edges = { find: () => edge, legacy: edge };
    this.#conversation = new Conversation({ log, maxRequests: limits.requestsPerClient, edges });
  }

  get requests(): OpenRequests {
    return this.#conversation.requests;
  }

  get takesBatches(): boolean {
    return this.#edge.takesBatches;
  }

  /** Something is going on, so the session is in use although nothing arrives. */
  get busy(): boolean {
    return this.requests.busy || this.#standing.size > 0 || this.#edge.busy;
  }

  get crowded(): boolean {
    return this.#standing.size >= this.#limits.streamsPerSession;
  }

  /** The stream for what is said before a POST is answered. */
  openChannel(): { readonly prime: ServerEvent | undefined; carry(outlet: Outlet): PostChannel } {
    const key = `p${++this.#posts}`;
    const prime = this.#edge.primesStreams ? { id: toEventId(key, 0), data: '' } : undefined;
    return { prime, carry: (outlet) => this.#carry({ key, place: 0, outlet }) };
  }

  receive(message: Message, send: (text: string) => void): Promise<Answered | undefined> {
    return this.#conversation.receive(message, { send });
  }

  /**
   * Lets a connection carry the general stream, or the one its last event came from. The outlet is opened only when there is
   * something to carry.
   */
  attach(lastEventId: string | undefined, openOutlet: () => EventStream | undefined): Attachment {
    const from = lastEventId === undefined ? { stream: 'g', place: this.#told } : parseEventId(lastEventId);
    if (from === undefined) return 'unknown';
    const channel = this.#channels.get(from.stream);
    const { events, whole } = this.#buffer.after(from.stream, from.place);
    // What was lost of the general stream is news that can be asked for; an answer that was lost never comes.
    if (from.stream !== 'g' && (!whole || (channel === undefined && events.length === 0))) return 'unknown';
    if (lastEventId === undefined && this.#general.outlet?.open === true) return 'taken';
    const outlet = openOutlet();
    if (outlet === undefined) return 'taken';
    for (const { stream, place, text } of events) outlet.send({ id: toEventId(stream, place), data: text });
    if (channel === undefined) {
      outlet.end();
      return 'over';
    }
    if (channel === this.#general) this.#told = channel.place;
    channel.outlet?.end();
    channel.outlet = outlet;
    this.#standing.add(outlet);
    return 'attached';
  }

  /** A connection that carried a stream has ended. */
  detach(outlet: EventStream): void {
    this.#standing.delete(outlet);
    for (const channel of this.#channels.values()) if (channel.outlet === outlet) channel.outlet = undefined;
  }

  /** Ends the streams that no request waits on, and the questions: an answer can come no more. */
  endWaiting(): void {
    this.#edge.silence();
    for (const outlet of this.#standing) outlet.end();
  }

  close(): void {
    this.requests.cancelAll();
    this.#edge.close();
    for (const { outlet } of this.#channels.values()) outlet?.end();
    this.#buffer.clear();
  }

  #carry(channel: Channel): PostChannel {
    this.#channels.set(channel.key, channel);
    return {
      push: (text) => this.#push(channel, text),
      end: () => {
        this.#channels.delete(channel.key);
        channel.outlet?.end();
      },
    };
  }

  #push(channel: Channel, text: string): void {
    channel.place++;
    this.#buffer.add({ stream: channel.key, place: channel.place, text });
    if (channel.outlet === undefined) return;
    channel.outlet.send({ id: toEventId(channel.key, channel.place), data: text });
    if (channel === this.#general) this.#told = channel.place;
  }
}

export interface PostChannel {
  push(text: string): void;
  end(): void;
}
