/** A task as clients of the stateless era see it: everything that is known of it in one object. */
import type { Outcome } from '../../base/call/call.ts';
import { defined } from '../../base/json/defined.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { toInputRequests } from '../edge/input-requests.ts';
import type { ClientTask, TaskEnd } from './client-task.ts';

/** How the end of a call is told in this era. */
export type ToOutcome = (end: Exclude<TaskEnd, 'cancelled'>) => Outcome;

/** What is said of one when it is created. */
export function toModernTask(task: ClientTask): JsonObject {
  const { statusMessage, end, questions } = task;
  const isFailed = typeof end === 'object' && 'error' in end;
  const ended = end === undefined || end === 'cancelled' ? end : isFailed ? 'failed' : 'completed';
  return {
    taskId: task.id,
    status: ended ?? (questions.length > 0 ? 'input_required' : 'working'),
    ...defined({ statusMessage }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttlMs: task.ttlMs,
    pollIntervalMs: task.pollMs,
  };
}

/** What `tasks/get` answers and `notifications/tasks` tells: the same, with what it waits for or ended with. */
export function toDetailedTask(task: ClientTask, toOutcome: ToOutcome): RawJson {
  const plain = RawJson.of(toModernTask(task));
  const { end, questions } = task;
  if (end === undefined)
    return questions.length === 0 ? plain : plain.with({ inputRequests: toInputRequests(questions) });
  if (end === 'cancelled') return plain;
  const outcome = toOutcome(end);
  return 'error' in outcome
    ? plain.with({ status: 'failed', error: outcome.error })
    : plain.with({ result: outcome.result });
}
