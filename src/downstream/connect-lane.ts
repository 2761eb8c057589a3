/** A connection that is used by one client, or by one call at a time. Lists are read on the shared one. */
import { type Attempt, type ConnectOptions, connect } from './connect.ts';
import type { LaneEvents, LaneUse } from './lanes.ts';

export type LaneOptions = Omit<ConnectOptions, 'events' | 'declared' | 'questions'>;

export function connectLane(
  options: LaneOptions,
  { declared, client }: LaneUse,
  { onLost, onUpdated }: LaneEvents,
): Attempt {
  const attempt = connect({
    ...options,
    declared,
    questions: {
      isExclusive: () => true,
      background: (question, signal) => client?.session?.ask(question, signal),
      onUncertain() {},
    },
    events: {
      onListChanged() {},
      onLog() {},
      onNoise() {},
      onLost,
      onUpdated,
      onLeftOut: (message) => options.log.warn(message, { code: 'WB1022' }),
    },
  });
  const stopRoots = client?.session?.onRootsChanged(() => {
    attempt.connected.then(({ connection }) => connection.rootsChanged()).catch(() => {});
  });
  return {
    ...attempt,
    stop() {
      stopRoots?.();
      return attempt.stop();
    },
  };
}
