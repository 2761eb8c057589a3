/** The requests of one client of the handshake era: which are open, and what an incoming message is to them. */
import { type Answer, type Json, toAnswer } from './answer.ts';
import type { Asking, Strays } from './client.ts';

export interface Conversation {
  readonly open: number;
  /** Notes a request and gives its message. */
  begin(asking: Asking): { readonly id: number; readonly message: Json; readonly answer: Promise<Answer> };
  /** `of` is the request on whose stream it came, where there are such streams; `answer` sends an answer to a question. */
  take(message: Json, of: number | undefined, answer: (message: Json) => void): void;
  /** The exchange is over, as it may be without an answer. */
  end(id: number, answer: Answer): void;
}

export function createConversation(strays: Strays): Conversation {
  const waiting = new Map<number, { asking: Asking; resolve(answer: Answer): void }>();
  let last = 0;

  /** Whose question it is: that of the stream; else, where streams do not say it, the one that the question names. */
  const findAsker = (of: number | undefined, { message }: Json): Asking | undefined => {
    const own = of === undefined ? undefined : waiting.get(of)?.asking;
    if (own?.onQuestion !== undefined && String(message).includes(nonceOf(own))) return own;
    const others = [...waiting.values()].map(({ asking }) => asking);
    const named = others.find((each) => each.onQuestion !== undefined && String(message).includes(nonceOf(each)));
    return of === undefined || named?.askedAnywhere === true ? named : own;
  };

  return {
    get open() {
      return waiting.size;
    },
    begin(asking) {
      const id = ++last;
      const { method, params, onProgress } = asking;
      const given = onProgress === undefined ? params : { ...params, _meta: { progressToken: id } };
      const answer = new Promise<Answer>((resolve) => waiting.set(id, { asking, resolve }));
      return { id, message: { jsonrpc: '2.0', id, method, params: given }, answer };
    },
    take(message, of, answer) {
      const { id, method } = message;
      const params = (message.params ?? {}) as Json;
      if (method === 'notifications/progress') {
        const token = Number(params.progressToken);
        if (!(token <= last) || (of !== undefined && token !== of)) strays.stray(`progress of ${params.progressToken}`);
        else waiting.get(token)?.asking.onProgress?.(params);
      } else if (method === 'elicitation/create') {
        const asking = findAsker(of, params);
        if (asking?.onQuestion === undefined) strays.stray(`a question without a call: ${params.message}`);
        const result = asking?.onQuestion?.(params) ?? { action: 'cancel' };
        answer({ jsonrpc: '2.0', id, result });
      } else if (method !== undefined) return;
      else if (typeof id !== 'number' || id > last || (of !== undefined && id !== of))
        strays.stray(`an answer to ${id}, which was not asked here`);
      else if (!waiting.has(id)) strays.twice(JSON.stringify(message).slice(0, 200));
      else this.end(id, toAnswer(message));
    },
    end(id, answer) {
      const found = waiting.get(id);
      waiting.delete(id);
      found?.resolve(answer);
    },
  };
}

function nonceOf({ params }: Asking): string {
  return String(((params.arguments ?? {}) as Json).nonce);
}
