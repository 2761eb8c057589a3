/** A call of a stateless client that takes tasks: it becomes one when the server makes one of it, and is a plain call until then. */

import { type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { type Answer, findMissing, notDeclared, type Question } from '../../base/call/question.ts';
import { UrlNeeded } from '../../base/errors/url-needed.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { ResumableCall } from '../modern/resumable-call.ts';
import type { ClientTask } from './client-task.ts';
import type { TaskStore } from './task-store.ts';

export type CallParts = Pick<Call, 'signal' | 'notify' | 'ask'> & Partial<Pick<Call, 'task'>>;

export interface TaskableOptions {
  readonly tasks: TaskStore;
  readonly principal: string;
  /** The capabilities that the client declares with the request that makes the call. */
  readonly capabilities: JsonObject;
  run(parts: CallParts): Promise<CallOutcome>;
}

export function runTaskable(open: ResumableCall, options: TaskableOptions): Promise<CallOutcome> {
  const { tasks, principal, capabilities, run } = options;
  const control = new CancelToken();
  open.signal.addEventListener('abort', () => control.abort());
  if (open.signal.aborted) control.abort();
  let task: ClientTask | undefined;

  const becomeTask = (): ClientTask | undefined => {
    // When there are too many, it simply takes as long as it takes.
    task ??= tasks.add({ principal, onCancel: () => control.abort() });
    return task;
  };
  const running = run({
    signal: control,
    // Once the client has left with the task it hears nothing of this: this era has neither progress nor log messages of tasks.
    notify: open.notify,
    ask: (question, signal) =>
      task === undefined ? open.ask(question, signal) : askTask(task, capabilities, question, signal),
    task: {
      onTask(news) {
        const isNew = task === undefined;
        const own = becomeTask();
        own?.hear(news);
        if (own === undefined || !isNew) return;
        queueMicrotask(() => own.follow(running, toError));
        open.leave({ task: own });
      },
    },
  });
  return running;
}

async function askTask(
  task: ClientTask,
  capabilities: JsonObject,
  question: Question,
  signal: CancelSignal | undefined,
): Promise<Answer> {
  const requiredCapabilities = findMissing(capabilities, question);
  if (requiredCapabilities === undefined) return task.ask(question, signal);
  // As for a plain call: roots can be done without, anything else cannot.
  if (question.method !== 'roots/list') {
    const message = `The server asks '${question.method}', and the call did not declare that its client takes it.`;
    task.fail(rpcError(rpcCode.missingCapability, message, { requiredCapabilities }));
  }
  return { error: notDeclared(question) };
}

function toError(error: unknown) {
  const message =
    error instanceof UrlNeeded
      ? `${error.message} Open ${error.url} in a browser, then call again.`
      : 'The Workbench failed to make this call.';
  return rpcError(rpcCode.internal, message);
}
