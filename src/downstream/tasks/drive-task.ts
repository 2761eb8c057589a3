/**
 * Sees a task of a server to its end on behalf of a call: the call ends as the task does. The task is cancelled when the call is
 * given up, or when the server shows no sign of life for too long.
 */

import { type CancelSignal, CancelToken } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';
import type { InFlightMap } from '../../base/async/in-flight-map.ts';
import type { Call, Outcome } from '../../base/call/call.ts';
import { toWorkbenchError } from '../../base/errors/errors.ts';
import { findString, type JsonObject } from '../../base/json/json.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { InFlightCall } from '../call/in-flight-call.ts';
import type { Progress } from '../call/progress.ts';
import { cancelled, tooSlow } from '../call/send-call.ts';
import type { TimeLimits } from '../call/time-limit.ts';
import { pause } from '../rpc/pause.ts';
import type { PendingRequest, RpcPeer } from '../rpc/rpc-peer.ts';
import type { LiveTasks } from './live-tasks.ts';
import { differs, readTaskState, type TaskState } from './task-state.ts';

export interface DriveOptions {
  readonly call: Call;
  readonly peer: RpcPeer;
  readonly clock: Clock;
  readonly definition: ServerDefinition;
  readonly limits: TimeLimits;
  readonly inFlight: InFlightMap<number, InFlightCall>;
  readonly live: LiveTasks;
  readonly progress: Progress;
  /** The request that made the task: its progress token stays valid. */
  readonly token: number | undefined;
  /** Adds what the era wants to params of requests about the task. */
  toParams(params: JsonObject): JsonObject;
  /** The call was given up, but the server may go on with it. */
  onGivenUp(call: Call): void;
  /** The way of the era to learn how the task ends. */
  readonly follow: FollowTask;
}

export type FollowTask = (work: TaskWork) => Promise<Outcome>;

/** A task that is being driven, as the ways of both eras need it. */
export interface TaskWork extends Pick<DriveOptions, 'call' | 'peer' | 'inFlight'> {
  readonly open: InFlightCall;
  /** Aborted when the task is not driven any more. */
  readonly signal: CancelSignal;
  /** The state of the task as last heard. */
  readonly state: TaskState;
  /** Waits until it is worth asking again, but never so long that the time limit passes unseen. */
  breathe(signal?: CancelSignal): Promise<void>;
  hear(task: JsonObject): TaskState;
  /** A request about the task. Ends as cancelled when the task is not driven any more. */
  request(method: string, options?: TaskRequest): Promise<Outcome>;
  /** Tells the server that the task is not wanted any more. */
  cancel(): void;
}

export interface TaskRequest {
  readonly params?: JsonObject;
  onSent?(exchange: PendingRequest): void;
}

/** `created` is what the server said about the task that it made of the call. */
export function driveTask(created: JsonObject, options: DriveOptions): Promise<Outcome> {
  const { call, peer, clock, definition, limits, live, progress, toParams } = options;
  const taskId = findString(created, 'taskId') ?? '';
  const over = new CancelToken();
  let state = readTaskState(created);

  const news = () => {
    const { statusMessage, pollMs } = state;
    call.task?.onTask?.({ pollIntervalMs: pollMs, ...(statusMessage === undefined ? {} : { statusMessage }) });
    if (statusMessage !== undefined && call.wantsProgress) progress.say(statusMessage);
  };
  const request: TaskWork['request'] = (method, { params = {}, onSent } = {}) => {
    const exchange = peer.request(method, () => toParams({ taskId, ...params }));
    onSent?.(exchange);
    return new Promise((resolve, reject) => {
      const abandon = () => {
        exchange.abandon();
        resolve(cancelled);
      };
      over.addEventListener('abort', abandon);
      exchange.outcome.then(resolve, reject).finally(() => over.removeEventListener('abort', abandon));
    });
  };
  const cancel = () => {
    peer.request('tasks/cancel', () => toParams({ taskId })).outcome.catch(() => {});
  };

  return new Promise((resolve, reject) => {
    const limit = limits.begin({ onTimeOver: () => giveUp(() => reject(tooSlow(definition))) });
    const open = new InFlightCall(call, limit);
    const stopProgress =
      options.token === undefined
        ? () => {}
        : live.hearProgress(options.token, (params) => {
            limit.sign();
            progress.tell(params);
          });
    const finish = () => {
      call.signal.removeEventListener('abort', onAbort);
      stopProgress();
      live.byId.delete(taskId);
      open.end();
      over.abort();
    };
    const giveUp = (end: () => void) => {
      cancel();
      options.onGivenUp(call);
      finish();
      end();
    };
    const onAbort = () => giveUp(() => resolve(cancelled));
    const hear: TaskWork['hear'] = (task) => {
      const before = state;
      state = readTaskState(task);
      if (differs(before, state)) limit.sign();
      if (before.statusMessage !== state.statusMessage || before.pollMs !== state.pollMs) news();
      return state;
    };
    const work: TaskWork = {
      ...options,
      open,
      signal: over,
      get state() {
        return state;
      },
      breathe: (signal = over) => pause(clock, Math.min(state.pollMs, definition.timeoutMs / 2), signal),
      hear,
      request,
      cancel,
    };
    live.byId.set(taskId, work);
    news();
    if (call.signal.aborted) return onAbort();
    call.signal.addEventListener('abort', onAbort);
    options.follow(work).then(
      (outcome) => {
        finish();
        resolve(outcome);
      },
      (error: unknown) => {
        finish();
        reject(toWorkbenchError(error));
      },
    );
  });
}
