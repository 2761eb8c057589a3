/**
 * The messages of one client, on any transport. Every request gets exactly one answer, or none when it was cancelled or stays
 * open; the open requests and the edge that answers belong to the conversation.
 */

import type { Client, Outcome } from '../../base/call/call.ts';
import { Busy } from '../../base/errors/busy.ts';
import { toMessage } from '../../base/errors/errors.ts';
import type { Text } from '../../base/json/chunked-text.ts';
import { errorText, type RpcError, type RpcId, resultLine, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import type { Log } from '../../base/text/log.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { ClientEdge, LegacyMessages } from '../edge/edge.ts';
import type { Message, Request } from './message.ts';
import { createOpenRequests, type OpenRequests } from './requests.ts';

export interface ConversationOptions {
  readonly log: Log;
  /** Requests that may be open at once. */
  readonly maxRequests?: number | undefined;
  readonly edges: Edges;
}

export interface Edges {
  /** The edge that answers a request, or the answer where no edge is needed. */
  find(request: Request): ClientEdge | Outcome;
  /** Hears what the client says beside its requests; undefined before the handshake. */
  readonly legacy: LegacyMessages | undefined;
}

/** How a message came in, and where what belongs to it goes. */
export interface Via {
  send(line: string): void;
  /** The client, where one edge serves several. */
  readonly client?: Client;
  /** Stands for the id of the request, where ids of several clients meet. */
  readonly key?: RpcId;
}

export interface Answered {
  readonly text: Text;
  readonly error?: RpcError;
  /** The request was refused because too much is under way, or failed inside the Workbench. */
  readonly fault?: 'busy' | 'failed';
}

export class Conversation {
  readonly requests: OpenRequests;
  readonly #edges: Edges;
  readonly #log: Log;

  constructor({ log, maxRequests, edges }: ConversationOptions) {
    this.requests = createOpenRequests(maxRequests);
    this.#edges = edges;
    this.#log = log;
  }

  /** The answer to a message; undefined when there is none. */
  async receive(message: Message, via: Via): Promise<Answered | undefined> {
    if (message.kind !== 'request') return this.#take(message);
    const { requests } = this;
    const { id } = message;
    const key = via.key ?? id;
    if (requests.full) return refuse(id, new Busy('too many requests of this client are not answered yet.'));
    const signal = requests.begin(key);
    if (signal === undefined) return { text: errorText(id, inUse(id)) };
    try {
      const found = this.#edges.find(message);
      const outcome =
        'request' in found ? await found.request(message, { signal, send: via.send, client: via.client }) : found;
      if (outcome === undefined) requests.keep(key);
      else requests.end(key);
      // A request that stays open ends by cancellation, and a cancelled request is not answered.
      if (outcome === undefined || signal.aborted) return undefined;
      if ('error' in outcome) return { text: errorText(id, outcome.error), error: outcome.error };
      return { text: resultLine(id, outcome.result) };
    } catch (error) {
      // A result that is nested too deep to be written ends here as well.
      requests.end(key);
      if (!(error instanceof Busy))
        this.#log.error('request failed unexpectedly', { method: message.method, message: toMessage(error) });
      if (signal.aborted) return undefined;
      return error instanceof Busy ? refuse(id, error) : { text: errorText(id, failed(message)), fault: 'failed' };
    }
  }

  #take(message: Exclude<Message, Request>): Answered | undefined {
    const { legacy } = this.#edges;
    switch (message.kind) {
      case 'notification':
        if (message.method === 'notifications/cancelled') this.requests.cancel(message.params.requestId);
        else legacy?.notified(message.method);
        return undefined;
      case 'response':
        legacy?.answered(message.id, message.outcome);
        return undefined;
      case 'invalid':
        return { text: errorText(message.id, message.error), error: message.error };
    }
  }
}

function inUse(id: RpcId): RpcError {
  const shown = toPrintable(JSON.stringify(id), 150);
  return rpcError(rpcCode.invalidRequest, `The id ${shown} is in use by a request that is not answered yet.`);
}

function failed({ method }: Request): RpcError {
  return rpcError(rpcCode.internal, `The Workbench failed to handle ${quote(method)}.`);
}

function refuse(id: RpcId, busy: Busy): Answered {
  return { text: errorText(id, busy.toRpcError()), fault: 'busy' };
}
