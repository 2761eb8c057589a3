/** What becomes of a message of a client that may have shaken hands, whatever carries it. */
import type { Text } from '../base/long-text.ts';
import { errorText } from '../base/rpc.ts';
import type { LegacyEdge } from './legacy.ts';
import type { Message, Request } from './message.ts';
import type { OpenRequests } from './requests.ts';

export interface TakeOptions<T extends Text> {
  readonly requests: OpenRequests;
  /** Undefined before the handshake. */
  readonly edge: LegacyEdge | undefined;
  answer(request: Request): Promise<T | undefined>;
}

/** The text to answer with; undefined when there is nothing to say, now or ever. */
export function takeMessage<T extends Text>(
  message: Message,
  { requests, edge, answer }: TakeOptions<T>,
): Promise<T | string | undefined> | undefined {
  switch (message.kind) {
    case 'request':
      return answer(message);
    case 'notification':
      if (message.method === 'notifications/cancelled') requests.cancel(message.params.requestId);
      else edge?.notified(message.method);
      return undefined;
    case 'response':
      edge?.answered(message.id, message.outcome);
      return undefined;
    case 'invalid':
      return Promise.resolve(errorText(message.id, message.error));
  }
}
