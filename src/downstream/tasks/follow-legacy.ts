/**
 * Follows a task of the handshake era: `tasks/result` waits for its end and carries what the server asks meanwhile; `tasks/get` asks
 * for its state beside it.
 */
import type { Outcome } from '../../base/call/call.ts';
import { metaKeys } from '../../base/rpc/mcp.ts';
import type { FollowTask, TaskWork } from './drive-task.ts';
import { isOver, type TaskState } from './task-state.ts';

/** How often the result is asked for: a stream may break, and some servers do not wait. The last answer counts as the end. */
const maxTries = 60;

export const followLegacy: FollowTask = async (work) => {
  void watch(work);
  for (let tries = 1; ; tries++) {
    const { outcome, failure } = await fetchResult(work);
    if (outcome !== undefined && 'result' in outcome) return withoutRelated(outcome);
    const mayAskAgain = tries < maxTries && !work.signal.aborted && !work.peer.over.aborted;
    const state = mayAskAgain ? await findState(work) : undefined;
    // A refusal counts once the task is over; a broken stream says nothing about it.
    if (state === undefined || (outcome !== undefined && isOver(state))) {
      if (outcome === undefined) throw failure;
      return outcome;
    }
    await work.breathe();
  }
};

async function fetchResult(work: TaskWork): Promise<{ outcome?: Outcome; failure?: unknown }> {
  let id: number | undefined;
  try {
    const outcome = await work.request('tasks/result', {
      onSent(exchange) {
        // What the server says on this stream, or on a pipe while this is the only call, belongs to the call.
        id = exchange.id;
        work.inFlight.set(id, work.open);
      },
    });
    return { outcome };
  } catch (failure) {
    return { failure };
  } finally {
    if (id !== undefined) work.inFlight.delete(id);
  }
}

async function watch(work: TaskWork): Promise<void> {
  while (!isOver(work.state)) {
    await work.breathe();
    if (work.signal.aborted || (await findState(work)) === undefined) return;
  }
}

/** Undefined when the server does not say it: then only the result tells. */
async function findState(work: TaskWork): Promise<TaskState | undefined> {
  try {
    const outcome = await work.request('tasks/get');
    return 'error' in outcome ? undefined : work.hear(outcome.result.value);
  } catch {
    return undefined;
  }
}

function withoutRelated(outcome: Outcome): Outcome {
  const meta = 'result' in outcome ? outcome.result.find('_meta') : undefined;
  if ('error' in outcome || meta === undefined || !Object.hasOwn(meta.value, metaKeys.relatedTask)) return outcome;
  const isOnly = Object.keys(meta.value).length === 1;
  return {
    result: outcome.result.with({ _meta: isOnly ? undefined : meta.with({ [metaKeys.relatedTask]: undefined }) }),
  };
}
