/** The tasks of one connection that are driven for calls: what a server says of a task finds its call here. */
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { metaKeys } from '../../base/rpc/mcp.ts';
import type { InFlightCall } from '../call/in-flight-call.ts';

export interface LiveTask {
  readonly open: InFlightCall;
  /** Takes what the server says about the task unasked. */
  hear(task: JsonObject): void;
}

export interface LiveTasks {
  /** By the ids of the server. */
  readonly byId: Map<string, LiveTask>;
  /** Takes the progress of a request beyond its answer: the token of a task stays valid. Returns the function that ends it. */
  hearProgress(token: number, listener: (params: JsonObject) => void): () => void;
  /** Gives whether the notification was about a task. */
  notified(method: string, params: JsonObject): boolean;
}

export function createLiveTasks(): LiveTasks {
  const byId = new Map<string, LiveTask>();
  const progress = new Map<string, (params: JsonObject) => void>();
  return {
    byId,
    hearProgress(token, listener) {
      progress.set(String(token), listener);
      return () => progress.delete(String(token));
    },
    notified(method, params) {
      if (method === 'notifications/tasks/status') byId.get(findString(params, 'taskId') ?? '')?.hear(params);
      else if (method === 'notifications/progress') progress.get(String(findMember(params, 'progressToken')))?.(params);
      else return false;
      return true;
    },
  };
}

/** The task that a message of a server names as the one it belongs to. */
export function findRelatedTask(params: Json | undefined): string | undefined {
  const meta = isObject(params) ? findObject(params, '_meta') : undefined;
  return findString(findObject(meta ?? {}, metaKeys.relatedTask) ?? {}, 'taskId');
}
