/** What a stateless client asks of its tasks, on requests that declare the extension. */
import type { Outcome } from '../../base/call/call.ts';
import { findMember, findObject, findString } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { extensionKeys, metaKeys } from '../../base/rpc/mcp.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { Request } from '../conversation/message.ts';
import { isInputResponses, wrongInputResponses } from '../edge/input-requests.ts';
import type { ModernResults } from '../modern/modern-result.ts';
import { type ToOutcome, toDetailedTask } from './modern-task.ts';
import { type TaskStore, unknownTask } from './task-store.ts';

export interface ModernTasks {
  /** `tasks/get`, `tasks/update` and `tasks/cancel`. */
  request(request: Request, principal: string): Outcome;
}

export function createModernTasks(tasks: TaskStore, results: ModernResults): ModernTasks {
  return {
    request(request, principal) {
      const { method, params } = request;
      if (!declaresTasks(request)) return { error: tasksUndeclared(`'${method}'`) };
      const task = tasks.find(findString(params, 'taskId') ?? '', principal);
      if (task === undefined) return { error: unknownTask() };
      if (method === 'tasks/get') {
        const detailed = toDetailedTask(task, toTaskOutcome(results));
        if (task.end !== undefined) task.isFetched = true;
        return results.complete(detailed);
      }
      if (method === 'tasks/update') {
        const answers = findMember(params, 'inputResponses');
        if (!isInputResponses(answers)) return { error: wrongInputResponses() };
        for (const key of Object.keys(answers)) task.answer(key, findObject(answers, key) ?? {});
      } else if (task.end === undefined) task.cancel();
      return results.complete(RawJson.of({}));
    },
  };
}

/** How the end of a call is told where it cannot ask any more. */
export function toTaskOutcome(results: ModernResults): ToOutcome {
  return (end) => {
    if ('inputRequired' in end) return { error: rpcError(rpcCode.internal, 'The server asked instead of answering.') };
    // Only an error has to be put into other words.
    return 'error' in end ? results.toOutcome(end, { capabilities: {}, takesQuestions: false, declined: false }) : end;
  };
}

/** Whether the client of a request takes tasks; other requests of it say nothing of that. */
export function declaresTasks({ meta }: Request): boolean {
  const extensions = findObject(findObject(meta, metaKeys.capabilities) ?? {}, 'extensions');
  return findObject(extensions ?? {}, extensionKeys.tasks) !== undefined;
}

export function tasksUndeclared(what: string): RpcError {
  const requiredCapabilities = { extensions: { [extensionKeys.tasks]: {} } };
  const message = `${what} is for clients that declare the extension ${extensionKeys.tasks} on the request.`;
  return rpcError(rpcCode.missingCapability, message, { requiredCapabilities });
}
