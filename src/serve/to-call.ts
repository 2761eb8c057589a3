/** From a client's request to the neutral call: what belongs to the client's own hop stays here. */
import type { Call, Client, LogLevel } from '../base/call.ts';
import { findMember, withMembers } from '../base/json.ts';
import { notificationText } from '../base/rpc.ts';
import type { Exchange } from './edge.ts';
import { type Request, withoutHop } from './message.ts';

export interface CallSettings extends Pick<Call, 'opensUrls' | 'awaitsUrl'> {
  readonly client: Client;
  readonly logLevel: LogLevel | undefined;
}

export function toCall(
  request: Request,
  { signal, send }: Exchange,
  { client, logLevel, ...asking }: CallSettings,
): Call {
  const token = findMember(request.meta, 'progressToken');
  return {
    method: request.method,
    params: withoutHop(request),
    client,
    signal,
    wantsProgress: token !== undefined,
    ...asking,
    ...(logLevel === undefined ? {} : { logLevel }),
    notify(kind, news) {
      const own = kind === 'notifications/progress' ? withMembers(news, { progressToken: token }) : news;
      if (!signal.aborted) send(notificationText(kind, own));
    },
  };
}
