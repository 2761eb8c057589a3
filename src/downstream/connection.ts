/**
 * One live connection to a server: the conversation with it and the edge of the era it speaks.
 * Begins with a successful handshake and ends once, with a reason; it is never revived.
 */
import type { Call, Outcome } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { toMessage, WorkbenchError } from '../base/errors.ts';
import { type JsonObject, withoutMembers } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { toPrintable } from '../base/printable.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import { findChanged, type Kind, kinds, kindsOf } from '../catalog/kind.ts';
import type { Heard } from '../catalog/listing.ts';
import type { ServerDefinition } from '../config/config.ts';
import type { Limits } from '../config/schema-limits.ts';
import { completeOrNothing } from './complete.ts';
import type { ServerEdge } from './edge.ts';
import { type LogRoute, routeLog, withServerLogger } from './log-route.ts';
import type { Peer } from './peer.ts';
import { readListing } from './read-listing.ts';

export interface ConnectionEvents {
  /** Lists of these kinds may have changed; all, unless some are named. */
  onListChanged(changed?: readonly Kind[]): void;
  /** A log message that belongs to no call. */
  onLog(params: JsonObject): void;
}

export class Connection {
  readonly edge: ServerEdge;
  readonly #peer: Peer;
  readonly #definition: ServerDefinition;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #events: ConnectionEvents;
  readonly #source: { readonly peer: Peer; readonly clock: Clock; readonly limits: Limits };
  readonly #reviseListing: (heard: Heard) => Heard;
  readonly #inFlight = new Map<number, Call>();

  constructor(parts: {
    edge: ServerEdge;
    peer: Peer;
    definition: ServerDefinition;
    clock: Clock;
    limits: Limits;
    log: Log;
    events: ConnectionEvents;
    /** Gets everything that was read and gives what is to be used of it. */
    reviseListing?(heard: Heard): Heard;
  }) {
    this.edge = parts.edge;
    this.#peer = parts.peer;
    this.#definition = parts.definition;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#events = parts.events;
    this.#source = { peer: parts.peer, clock: parts.clock, limits: parts.limits };
    this.#reviseListing = parts.reviseListing ?? ((heard) => heard);
  }

  async listing(wanted: readonly Kind[] = kinds): Promise<Heard> {
    return this.#reviseListing(await readListing({ ...this.#source, edge: this.edge }, wanted));
  }

  /** Sends a call and waits for its answer. Rejects with a WorkbenchError when there is none to be had. */
  call(call: Call): Promise<Outcome> {
    return completeOrNothing(this.edge, call, () => this.#send(call));
  }

  #send(call: Call): Promise<Outcome> {
    if (call.signal.aborted) return Promise.resolve(cancelled);
    if (call.logLevel !== undefined) this.edge.ensureLogLevel(call.logLevel);
    const { timeoutMs, name } = this.#definition;
    const { method, logLevel } = call;
    let lastSign = this.#clock.now();
    const exchange = this.#peer.request(
      method,
      (id) => this.edge.toParams(call.params, { method, logLevel, ...(call.wantsProgress ? { token: id } : {}) }),
      (params) => {
        lastSign = this.#clock.now();
        call.notify('notifications/progress', withoutMembers(params, ['progressToken']));
      },
    );
    this.#inFlight.set(exchange.id, call);

    return new Promise<Outcome>((resolve, reject) => {
      const onAbort = () => {
        exchange.cancel('cancelled by the client');
        finish();
        resolve(cancelled);
      };
      const onTime = () => {
        const silentMs = this.#clock.now() - lastSign;
        if (silentMs < timeoutMs) {
          stopTimer = this.#clock.after(timeoutMs - silentMs, onTime);
          return;
        }
        exchange.cancel('time limit');
        finish();
        reject(
          new WorkbenchError(
            'WB1011',
            `Server '${name}' gave no answer within ${timeoutMs / 1000} s; the call was cancelled.`,
          ),
        );
      };
      let stopTimer = this.#clock.after(timeoutMs, onTime);
      const finish = () => {
        stopTimer();
        call.signal.removeEventListener('abort', onAbort);
        this.#inFlight.delete(exchange.id);
      };
      call.signal.addEventListener('abort', onAbort);
      exchange.outcome.then(
        (outcome) => {
          finish();
          resolve(this.edge.toOutcome(outcome, method));
        },
        (error: unknown) => {
          finish();
          reject(error instanceof WorkbenchError ? error : new WorkbenchError('WB1999', toMessage(error)));
        },
      );
    });
  }

  /** `stream` is the request on whose own stream it came, where the transport has such streams. */
  notified(method: string, params: JsonObject, stream: number | undefined): void {
    const changed = findChanged(method);
    if (changed !== undefined) this.#events.onListChanged(kindsOf(changed));
    else if (method === 'notifications/message') this.#logged(withServerLogger(params, this.#definition.name), stream);
    else this.#log.debug('notification not passed on', { method: toPrintable(method, 100) });
  }

  #logged(params: JsonObject, stream: number | undefined): void {
    const route =
      stream === undefined ? routeLog(params, this.#inFlight.values()) : this.#routeOfStream(params, stream);
    if (route.to === 'call') route.call.notify('notifications/message', params);
    else if (route.to === 'anyone') this.#events.onLog(params);
    else this.#log.debug('log message of the server', { message: JSON.stringify(params) });
  }

  /** What comes on the stream of a call that was given up must not reach whoever else is calling. */
  #routeOfStream(params: JsonObject, stream: number): LogRoute {
    const owner = this.#inFlight.get(stream);
    return owner === undefined ? { to: 'nobody' } : routeLog(params, [owner]);
  }
}

const cancelled: Outcome = { error: rpcError(rpcCode.internal, 'The call was cancelled.') };

/** What we answer to a server's own requests: we are alive, and offer nothing else yet. */
export function answerServer(method: string): JsonObject {
  return method === 'ping'
    ? {}
    : rpcError(rpcCode.methodNotFound, `The Workbench does not offer '${toPrintable(method, 100)}'.`);
}
