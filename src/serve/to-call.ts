/** From a client's request to the neutral call: what belongs to the client's own hop stays here. */
import type { Call } from '../base/call.ts';
import { findMember, withMembers } from '../base/json.ts';
import { notificationText } from '../base/rpc.ts';
import type { Exchange } from './edge.ts';
import { type Request, withoutHop } from './message.ts';

export type CallSettings = Omit<Call, 'method' | 'params' | 'wantsProgress'>;

export function toCall(request: Request, settings: CallSettings): Call {
  // Written out for the reason given at `withParts`.
  return {
    method: request.method,
    params: withoutHop(request),
    client: settings.client,
    capabilities: settings.capabilities,
    takesQuestions: settings.takesQuestions,
    round: settings.round,
    signal: settings.signal,
    wantsProgress: findMember(request.meta, 'progressToken') !== undefined,
    task: settings.task,
    onTask: settings.onTask,
    opensUrls: settings.opensUrls,
    awaitsUrl: settings.awaitsUrl,
    logLevel: settings.logLevel,
    notify: settings.notify,
    ask: settings.ask,
  };
}

/**
 * How progress and log messages of a call reach the client: with the token of its request, while that is open. Whoever speaks, the
 * Workbench or a server, progress only grows.
 */
export function toNotify({ meta }: Request, { signal, send }: Exchange): Call['notify'] {
  const progressToken = findMember(meta, 'progressToken');
  let told = Number.NEGATIVE_INFINITY;
  return (method, params) => {
    const isProgress = method === 'notifications/progress';
    if (signal.aborted || (isProgress && progressToken === undefined)) return;
    const progress = isProgress ? findMember(params, 'progress') : undefined;
    if (typeof progress === 'number') {
      if (progress <= told) return;
      told = progress;
    }
    send(notificationText(method, isProgress ? withMembers(params, { progressToken }) : params));
  };
}
