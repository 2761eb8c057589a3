/** What becomes of a message of a client that may have shaken hands, whatever carries it. */
import type { Later } from '../base/eventual.ts';
import type { Text } from '../base/long-text.ts';
import { errorText } from '../base/rpc.ts';
import type { LegacyEdge } from './legacy.ts';
import type { Message, Request } from './message.ts';
import type { OpenRequests } from './requests.ts';

export interface TakeOptions<T extends Text> {
  readonly requests: OpenRequests;
  /** Undefined before the handshake. */
  readonly edge: LegacyEdge | undefined;
  answer(request: Request): Later<T | undefined>;
}

/** The text to answer with; undefined when there is nothing to say, now or ever. */
export function takeMessage<T extends Text>(
  message: Message,
  options: TakeOptions<T>,
): Later<T | string | undefined> | undefined {
  switch (message.kind) {
    case 'request':
      return options.answer(message);
    case 'notification':
      if (message.method === 'notifications/cancelled') options.requests.cancel(message.params.requestId);
      else options.edge?.notified(message.method);
      return undefined;
    case 'response':
      options.edge?.answered(message.id, message.outcome);
      return undefined;
    case 'invalid':
      return Promise.resolve(errorText(message.id, message.error));
  }
}
