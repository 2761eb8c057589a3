/** Keeps a stream of announcements open: opens it again when it ends, after a pause that grows while it fails. */
import type { Clock } from '../../base/async/clock.ts';
import { pause } from '../rpc/pause.ts';
import type { ReadThrottle } from '../rpc/read-throttle.ts';
import type { HttpAnswer } from './client.ts';
import { readEvents } from './read-body.ts';

export interface KeptStream {
  readonly clock: Clock;
  readonly pace: ReadThrottle;
  /** A larger event ends the stream. */
  readonly maxAnswerBytes: number;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Undefined when the server has no such stream, now or later. */
  open(lastEventId: string | undefined): Promise<HttpAnswer | undefined>;
  onMessage(text: string): void;
  /** The stream is open again: announcements in between may have been missed. */
  onReopened(): void;
}

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

export async function keepStream({
  clock,
  pace,
  signal,
  maxAnswerBytes,
  open,
  onMessage,
  onReopened,
}: KeptStream): Promise<void> {
  let delayMs = firstPauseMs;
  let retryMs = 0;
  let lastEventId: string | undefined;
  let opened = false;
  while (!signal.aborted) {
    let heard = false;
    try {
      const answer = await open(lastEventId);
      if (answer === undefined) return;
      if (opened) onReopened();
      opened = true;
      await readEvents(answer, {
        maxLength: maxAnswerBytes,
        pace,
        onRetry: (wanted) => {
          retryMs = Math.min(wanted, maxPauseMs);
        },
        onEvent: ({ event, data, id }) => {
          heard = true;
          lastEventId = id;
          if (event === 'message' && data !== '') onMessage(data);
        },
      });
    } catch {
      // The cause may be gone at the next try; calls report the failure.
    }
    if (heard) delayMs = firstPauseMs;
    // Many Workbenches may have lost the server at the same moment.
    await pause(clock, Math.max(retryMs, delayMs * (0.75 + Math.random() / 2)), signal);
    delayMs = Math.min(delayMs * 2, maxPauseMs);
  }
}
