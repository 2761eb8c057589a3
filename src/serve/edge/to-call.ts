/** From a client's request to the neutral call: what belongs to the client's own hop stays here. */
import type { Call } from '../../base/call/call.ts';
import { findMember, withMembers } from '../../base/json/json.ts';
import { notificationText } from '../../base/rpc/rpc.ts';
import { type Request, withoutHop } from '../conversation/message.ts';
import type { ClientRequestContext } from './edge.ts';

export interface CallSettings extends Omit<Call, 'method' | 'params' | 'wantsProgress' | 'resume' | 'task'> {
  readonly resume?: Call['resume'];
  readonly task?: Call['task'];
}

export function toCall(request: Request, settings: CallSettings): Call {
  return {
    method: request.method,
    params: withoutHop(request),
    client: settings.client,
    features: settings.features,
    resume: settings.resume,
    task: settings.task,
    signal: settings.signal,
    wantsProgress: findMember(request.meta, 'progressToken') !== undefined,
    notify: settings.notify,
    ask: settings.ask,
  };
}

/**
 * How progress and log messages of a call reach the client: with the token of its request, while that is open. Progress of the
 * Workbench itself and of a server meets here, so this is the place that lets it only grow.
 */
export function toNotify({ meta }: Request, { signal, send }: ClientRequestContext): Call['notify'] {
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
