/** Reads what a server says about one of its tasks, in either era. */

import { toPollMs } from '../../base/call/task.ts';
import { findMember, findString, type JsonObject } from '../../base/json/json.ts';

export interface TaskState {
  readonly status: string;
  readonly statusMessage: string | undefined;
  readonly lastUpdatedAt: string | undefined;
  readonly pollMs: number;
}

export function readTaskState(task: JsonObject): TaskState {
  return {
    status: findString(task, 'status') ?? 'working',
    statusMessage: findString(task, 'statusMessage'),
    lastUpdatedAt: findString(task, 'lastUpdatedAt'),
    pollMs: toPollMs(findMember(task, 'pollIntervalMs') ?? findMember(task, 'pollInterval')),
  };
}

export function isOver({ status }: TaskState): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Whether the server has shown any sign of life between the two. */
export function differs(a: TaskState, b: TaskState): boolean {
  return a.status !== b.status || a.statusMessage !== b.statusMessage || a.lastUpdatedAt !== b.lastUpdatedAt;
}
