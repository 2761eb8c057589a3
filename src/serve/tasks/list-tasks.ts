/** `tasks/list`, page by page. A cursor names the task that the page before ended with. */
import type { Outcome } from '../../base/call/call.ts';
import { findMember, type JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { ClientTask } from './client-task.ts';
import { toLegacyTask } from './legacy-task.ts';

export const tasksPerPage = 50;

export function listTasks(tasks: readonly ClientTask[], params: JsonObject): Outcome {
  const cursor = findMember(params, 'cursor');
  const last = cursor === undefined ? -1 : tasks.findIndex(({ id }) => toCursor(id) === cursor);
  if (cursor !== undefined && last < 0)
    return {
      error: rpcError(rpcCode.invalidParams, 'This cursor is not valid any more. List again without a cursor.'),
    };
  const page = tasks.slice(last + 1, last + 1 + tasksPerPage);
  const end = page.at(-1);
  const isMore = last + 1 + tasksPerPage < tasks.length;
  return {
    result: RawJson.of({
      tasks: page.map(toLegacyTask),
      ...(end !== undefined && isMore ? { nextCursor: toCursor(end.id) } : {}),
    }),
  };
}

function toCursor(id: string): string {
  return Buffer.from(`after:${id}`).toString('base64url');
}
