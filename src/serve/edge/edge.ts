/** What a client edge is: one era's way to answer the messages of a client. */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { Client, Outcome } from '../../base/call/call.ts';
import type { Answer } from '../../base/call/question.ts';
import type { RpcId } from '../../base/rpc/rpc.ts';
import type { Front } from '../../front/front.ts';
import type { Request } from '../conversation/message.ts';

export interface ClientEdge {
  /** Answers a request, or undefined when it stays open and is ended by cancellation only. */
  request(request: Request, exchange: ClientRequestContext): Promise<Outcome | undefined>;
  close(): void;
}

/** What a handshake-era client says beside its requests. */
export interface LegacyMessages {
  /** The answer to a question of ours. */
  answered(id: RpcId | null, answer: Answer): void;
  /** A notification other than the cancellation of a request. */
  notified(method: string): void;
}

/** What belongs to one request on its way: how it is cancelled, and where its own messages go. */
export interface ClientRequestContext {
  readonly signal: CancelSignal;
  /** Puts a message of this request (progress, log, a question, news of a subscription) on the client's wire. */
  send(line: string): void;
  /** The client that makes this request, where one edge serves several. */
  readonly client?: Client | undefined;
}

export interface EdgeOptions {
  /** The client's user sits at this machine, so an address that leads back to it can be opened there. */
  readonly localUser?: boolean;
  readonly front: Front;
  /** How the Workbench introduces itself. */
  readonly identity: { readonly name: string; readonly version: string };
}
