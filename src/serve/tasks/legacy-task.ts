/** A task as clients of 2025-11-25 see it. */
import type { Outcome } from '../../base/call/call.ts';
import type { Question } from '../../base/call/question.ts';
import { defined } from '../../base/json/defined.ts';
import { findObject, type JsonObject, withMembers } from '../../base/json/json.ts';
import { metaKeys } from '../../base/rpc/mcp.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { downgradeResult } from '../edge/downgrade.ts';
import type { ClientTask, TaskEnd } from './client-task.ts';

export function toLegacyTask(task: ClientTask): JsonObject {
  const { statusMessage } = task;
  return {
    taskId: task.id,
    status: toStatus(task),
    ...defined({ statusMessage }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttl: task.ttlMs,
    pollInterval: task.pollMs,
  };
}

/** What is said of one when it is created: every task begins as working. */
export function toCreatedTask(task: ClientTask): JsonObject {
  return { ...toLegacyTask(task), status: 'working' };
}

function toStatus({ end, questions }: ClientTask): string {
  if (end === undefined) return questions.length > 0 ? 'input_required' : 'working';
  if (end === 'cancelled') return end;
  // In this era a tool that reports an error has failed its task too.
  return 'result' in end && end.result.value.isError !== true ? 'completed' : 'failed';
}

/** What `tasks/result` answers: exactly what the call would have been answered, and which task it is of. */
export function toTaskResult(id: string, end: TaskEnd): Outcome {
  if (end === 'cancelled') return { error: rpcError(rpcCode.internal, 'The task was cancelled.') };
  if ('inputRequired' in end) return { error: rpcError(rpcCode.internal, 'The server asked instead of answering.') };
  const outcome = downgradeResult(end);
  if ('error' in outcome) return outcome;
  const related = toRelated(id);
  return { result: outcome.result.with({ _meta: outcome.result.find('_meta')?.with(related) ?? related }) };
}

/** The same params; their metadata says which task they belong to. */
export function withRelated(params: JsonObject, id: string): JsonObject {
  return withMembers(params, { _meta: { ...findObject(params, '_meta'), ...toRelated(id) } });
}

export function toRelatedQuestion({ method, params }: Question, id: string): Question {
  return { method, params: withRelated(params, id) };
}

function toRelated(taskId: string): JsonObject {
  return { [metaKeys.relatedTask]: { taskId } };
}
