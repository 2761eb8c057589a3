/** Tells a client that its call waits for a server to start, where the client wants to hear of progress. */

import type { Clock } from '../../base/async/clock.ts';
import type { Call } from '../../base/call/call.ts';
import { type Progress, unwantedProgress } from '../call/progress.ts';

const firstMs = 1_000;
const everyMs = 2_000;
/** So small that the progress of the server itself is more. */
const step = 1e-6;

export interface StartNoticeOptions {
  readonly server: string;
  readonly clock: Clock;
  readonly progress: Progress;
}

/** Waits for a start on behalf of a call. */
export async function awaitStart<T>(start: Promise<T>, call: Call, options: StartNoticeOptions): Promise<T> {
  const { server, clock, progress } = options;
  if (progress === unwantedProgress) return start;
  const tell = () => {
    if (call.signal.aborted) return;
    progress.say(`Server '${server}' is starting …`, step);
    stopTimer = clock.after(everyMs, tell);
  };
  let stopTimer = clock.after(firstMs, tell);
  try {
    return await start;
  } finally {
    stopTimer();
  }
}
