/**
 * Requests that a server makes of us: each is answered exactly once, unless the server takes it back or the conversation ends.
 * Their number is limited, because a person must not be asked without end.
 */

import { type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import type { Answer } from '../../base/call/question.ts';
import type { Json } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { errorText, type RpcId, resultText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';

export interface RequestContext {
  /** The request of ours on whose own stream it came, where the transport has such streams. */
  readonly stream: number | undefined;
  /** The server has taken it back, or cannot be answered any more. */
  readonly signal: CancelSignal;
}

export type AnswerRequest = (method: string, params: Json | undefined, context: RequestContext) => Promise<Answer>;

export interface ServerRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Json | undefined;
  readonly stream: number | undefined;
}

export interface ServerRequests {
  take(request: ServerRequest): void;
  /** The server takes one of its requests back. */
  withdraw(id: Json | undefined): void;
  /** No request can be answered any more. */
  forget(): void;
}

export const maxOpenRequests = 64;

export function createServerRequests(options: {
  readonly answer: AnswerRequest;
  send(line: string): void;
}): ServerRequests {
  const open = new Map<RpcId, CancelToken>();
  const reply = (id: RpcId, answer: Answer) => options.send(toLine(id, answer));
  return {
    take({ id, method, params, stream }) {
      // A ping is answered however many questions are open.
      if (method === 'ping') return reply(id, { result: {} });
      if (open.has(id)) return reply(id, { error: rpcError(rpcCode.invalidRequest, 'This id is still in use.') });
      if (open.size >= maxOpenRequests) return reply(id, { error: tooMany });
      const control = new CancelToken();
      open.set(id, control);
      const finish = (answer: Answer) => {
        // The same id may have been used again after it was withdrawn.
        if (open.get(id) !== control) return;
        open.delete(id);
        reply(id, answer);
      };
      options.answer(method, params, { stream, signal: control }).then(finish, () => finish(unanswerable));
    },
    withdraw(id) {
      const control = open.get(id as RpcId);
      open.delete(id as RpcId);
      control?.abort();
    },
    forget() {
      const all = [...open.values()];
      open.clear();
      for (const control of all) control.abort();
    },
  };
}

const tooMany = rpcError(
  rpcCode.serverFailed,
  `too many questions: ${maxOpenRequests} of this server are still unanswered`,
);
const unanswerable = { error: rpcError(rpcCode.internal, 'The question could not be answered.') };

/** An answer that is nested too deep to be written becomes an error. */
function toLine(id: RpcId, answer: Answer): string {
  try {
    return 'error' in answer ? errorText(id, answer.error) : resultText(id, RawJson.of(answer.result));
  } catch {
    return errorText(id, unanswerable.error);
  }
}
