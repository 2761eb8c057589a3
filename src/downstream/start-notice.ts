/** Tells a client that wants progress that its call waits for a server to start. */
import type { Call } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { findMember } from '../base/json.ts';

export interface StartNotice {
  /** The call to go on with: its progress never falls behind what was told here. */
  readonly call: Call;
  during<T>(start: Promise<T>): Promise<T>;
}

const firstMs = 1_000;
const everyMs = 2_000;
/** So small that all progress of the server itself is more. */
const step = 1e-6;

const quietly: StartNotice['during'] = (start) => start;

export interface StartNoticeOptions {
  readonly server: string;
  readonly clock: Clock;
}

export function createStartNotice(call: Call, { server, clock }: StartNoticeOptions): StartNotice {
  if (!call.wantsProgress) return { call, during: quietly };
  let told = 0;
  const notify: Call['notify'] = (method, params) => {
    if (method === 'notifications/progress') {
      const progress = findMember(params, 'progress');
      // Progress must grow, even when the call is repeated.
      if (told > 0 && typeof progress === 'number' && progress <= told) return;
      if (typeof progress === 'number') told = Math.max(told, progress);
    }
    call.notify(method, params);
  };
  return {
    call: { ...call, notify },
    async during(start) {
      const base = told;
      let times = 0;
      const tell = () => {
        if (call.signal.aborted) return;
        notify('notifications/progress', {
          progress: base + ++times * step,
          message: `Server '${server}' is starting …`,
        });
        stopTimer = clock.after(everyMs, tell);
      };
      let stopTimer = clock.after(firstMs, tell);
      try {
        return await start;
      } finally {
        stopTimer();
      }
    },
  };
}
