/** Tasks of one client of 2025-11-25: calls that it wants as tasks, and what it asks of them. */

import { type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import type { Call, ClientFeatures, Outcome } from '../../base/call/call.ts';
import { findMissing, notDeclared } from '../../base/call/question.ts';
import type { TaskWish } from '../../base/call/task.ts';
import { findMember, findString, isObject, type JsonObject, withoutMembers } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { notificationText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { findCallFault, type Request } from '../conversation/message.ts';
import type { ClientRequestContext } from '../edge/edge.ts';
import { toCall, toNotify } from '../edge/to-call.ts';
import type { LegacyClient } from '../legacy/legacy-client.ts';
import type { ClientTask } from './client-task.ts';
import { toCreatedTask, toLegacyTask, toRelatedQuestion, toTaskResult, withRelated } from './legacy-task.ts';
import { listTasks } from './list-tasks.ts';
import { type TaskStore, tooManyTasks, unknownTask } from './task-store.ts';

export interface LegacyTasksOptions {
  readonly tasks: TaskStore;
  readonly connected: LegacyClient;
  readonly capabilities: JsonObject;
  /** Puts a message that belongs to no request on the client's wire. */
  send(line: string): void;
  /** Makes a call of a tool, to its end. */
  run(call: Call): Promise<Outcome>;
}

export interface LegacyTasks {
  /** Something runs. */
  readonly busy: boolean;
  /** A call of a tool that is wanted as a task. */
  call(request: Request, exchange: ClientRequestContext, features: ClientFeatures): Promise<Outcome>;
  /** One of the methods about tasks. */
  request(request: Request, exchange: ClientRequestContext): Promise<Outcome>;
  /** The client hears nothing more of its tasks; they go on. */
  close(): void;
}

export const taskMethods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']);

export function wantsTask({ params }: Request): boolean {
  return Object.hasOwn(params, 'task');
}

export function createLegacyTasks(options: LegacyTasksOptions): LegacyTasks {
  const { tasks, connected, capabilities, send, run } = options;
  const { client } = connected;
  const { principal } = client;
  const running = new Set<ClientTask>();
  let closed = false;
  const tell = (line: string) => {
    if (!closed) send(line);
  };

  const begin = (request: Request, wish: TaskWish, features: ClientFeatures) => {
    const control = new CancelToken();
    const task = tasks.add({ principal, ttl: wish.ttl, onCancel: () => control.abort() });
    if (task === undefined) return undefined;
    let onBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    // The stream of its request ends with the answer that names the task.
    const notify = toNotify(request, { signal: control, send: tell });
    const call = toCall(request, {
      client,
      features,
      signal: control,
      task: {
        wish,
        onTask(news) {
          task.hear(news);
          onBegun();
        },
      },
      notify: (method, params) => {
        if (task.end === undefined) notify(method, withRelated(params, task.id));
      },
      ask: async (question, signal) =>
        findMissing(capabilities, question) === undefined
          ? task.ask(question, signal)
          : { error: notDeclared(question) },
    });
    running.add(task);
    const ended = run(call).finally(() => running.delete(task));
    task.follow(ended, () => rpcError(rpcCode.internal, 'The Workbench failed to make this call.'));
    return { task, begun, ended };
  };

  return {
    get busy() {
      return running.size > 0;
    },
    async call(request, exchange, features) {
      const fault = findCallFault(request);
      if (fault !== undefined) return { error: fault };
      const wish = readWish(request.params);
      if ('error' in wish) return wish;
      const started = begin(withoutTask(request), wish, features);
      if (started === undefined) return { error: tooManyTasks() };
      const { task, begun, ended } = started;
      const cancel = () => task.cancel();
      exchange.signal.addEventListener('abort', cancel);
      try {
        // What is refused before it has become a task never was one.
        const outcome = await Promise.race([begun, ended]);
        if (outcome !== undefined && 'error' in outcome) {
          tasks.remove(task);
          return outcome;
        }
      } catch (error) {
        tasks.remove(task);
        throw error;
      } finally {
        exchange.signal.removeEventListener('abort', cancel);
      }
      const created = RawJson.of({ task: toCreatedTask(task) });
      const news = () => tell(notificationText('notifications/tasks/status', toLegacyTask(task)));
      task.onChanged(news);
      // Not before the client knows it.
      if (task.end !== undefined || task.questions.length > 0) setImmediate(news);
      return { result: created };
    },
    async request({ method, params }, exchange) {
      if (method === 'tasks/list') return listTasks(tasks.list(principal), params);
      const task = tasks.find(findString(params, 'taskId') ?? '', principal);
      if (task === undefined) return { error: unknownTask() };
      if (method === 'tasks/get') return { result: RawJson.of(toLegacyTask(task)) };
      if (method === 'tasks/result') return awaitResult(task, exchange);
      if (task.end !== undefined)
        return { error: rpcError(rpcCode.invalidParams, 'The task is over and cannot be cancelled any more.') };
      task.cancel();
      return { result: RawJson.of(toLegacyTask(task)) };
    },
    close() {
      closed = true;
    },
  };

  /** Waits for the end; while it waits, the client can be asked what the task wants to know. */
  async function awaitResult(task: ClientTask, { signal, send: sendBack }: ClientRequestContext): Promise<Outcome> {
    const inquiry = connected.open(sendBack);
    const leave = task.attend((question, taken) => inquiry.ask(toRelatedQuestion(question, task.id), taken));
    const end = await orAborted(task.finished, signal);
    leave();
    inquiry.end();
    // The request was cancelled: the client does not read the answer.
    if (end === undefined) return { error: unknownTask() };
    if (tasks.find(task.id, principal) === undefined && end === 'cancelled') return { error: unknownTask() };
    task.isFetched = true;
    return toTaskResult(task.id, end);
  }
}

/** Undefined when the signal came first. */
function orAborted<T>(promise: Promise<T>, signal: CancelSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(undefined);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    void promise.then((value) => {
      signal.removeEventListener('abort', giveUp);
      resolve(value);
    });
  });
}

/** What the client wants of the task; it says so in `params.task`. */
function readWish(params: JsonObject): TaskWish | Extract<Outcome, { error: unknown }> {
  const task = findMember(params, 'task');
  const ttl = isObject(task) ? findMember(task, 'ttl') : undefined;
  if (!isObject(task)) return { error: rpcError(rpcCode.invalidParams, '"params.task" must be an object.') };
  if (ttl === undefined || ttl === null) return {};
  if (typeof ttl === 'number' && ttl >= 0) return { ttl };
  return { error: rpcError(rpcCode.invalidParams, '"params.task.ttl" must be a number of milliseconds.') };
}

/** Whether a call is a task is a matter of one hop. */
export function withoutTask(request: Request): Request {
  if (request.method !== 'tools/call' || !wantsTask(request)) return request;
  return { ...request, params: withoutMembers(request.params, ['task']) };
}
