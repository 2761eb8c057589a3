/** The tasks of all clients of one service: found by id for their principal, while their time lasts. A restart forgets them. */
import type { Clock } from '../../base/async/clock.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { ClientTask } from './client-task.ts';

export interface TaskLimits {
  readonly tasks: number;
  readonly tasksPerPrincipal: number;
  /** How long one is kept from its beginning, when the client does not say. */
  readonly ttlMs: number;
  readonly minTtlMs: number;
  readonly maxTtlMs: number;
}

export const taskLimits: TaskLimits = {
  tasks: 1_000,
  tasksPerPrincipal: 100,
  ttlMs: 60 * 60_000,
  minTtlMs: 1_000,
  maxTtlMs: 24 * 60 * 60_000,
};

export interface NewTask {
  readonly principal: string;
  /** As the client asks for it. */
  readonly ttl?: number | undefined;
  onCancel(): void;
}

export interface TaskStore {
  /** Undefined when there are too many. */
  add(task: NewTask): ClientTask | undefined;
  find(id: string, principal: string): ClientTask | undefined;
  /** In the order of their beginning. */
  list(principal: string): ClientTask[];
  remove(task: ClientTask): void;
  /** Cancels what runs; no other can be begun. */
  close(): void;
}

export function createTaskStore(clock: Clock, limits: TaskLimits = taskLimits): TaskStore {
  const held = new Map<string, { readonly task: ClientTask; stopExpiry(): void }>();
  let closed = false;
  const list = (principal?: string): ClientTask[] =>
    [...held.values()]
      .map(({ task }) => task)
      .filter((task) => principal === undefined || task.principal === principal);
  const remove = ({ id }: ClientTask) => {
    held.get(id)?.stopExpiry();
    held.delete(id);
  };
  /** What was fetched, or is not wanted any more, has had its use. */
  const makeRoom = (tasks: readonly ClientTask[], most: number): boolean => {
    const done = tasks.length < most ? undefined : tasks.find(({ isFetched, end }) => isFetched || end === 'cancelled');
    if (done !== undefined) remove(done);
    return tasks.length < most || done !== undefined;
  };

  return {
    add({ principal, ttl = limits.ttlMs, onCancel }) {
      if (closed || !makeRoom(list(principal), limits.tasksPerPrincipal) || !makeRoom(list(), limits.tasks))
        return undefined;
      const ttlMs = Math.round(Math.min(limits.maxTtlMs, Math.max(limits.minTtlMs, ttl)));
      const task = new ClientTask({ principal, ttlMs, clock, onCancel });
      const stopExpiry = clock.after(ttlMs, () => {
        remove(task);
        if (task.end === undefined) task.cancel();
      });
      held.set(task.id, { task, stopExpiry });
      return task;
    },
    find(id, principal) {
      const task = held.get(id)?.task;
      return task?.principal === principal ? task : undefined;
    },
    list,
    remove,
    close() {
      closed = true;
      for (const task of list()) {
        remove(task);
        if (task.end === undefined) task.cancel();
      }
    },
  };
}

export function unknownTask(): RpcError {
  const message =
    'There is no such task (any more): its time is over, or the Workbench was started again. Make the call again.';
  return rpcError(rpcCode.invalidParams, message, { code: 'WB1808' });
}

export function tooManyTasks(): RpcError {
  const message = 'Busy: too many tasks are kept. Fetch results, cancel tasks, or call the tool without a task.';
  return rpcError(rpcCode.internal, message, { code: 'WB1809' });
}
