/** A stream of announcements that is opened again whenever it ends, after a pause that grows while it fails. */
import type { Clock } from '../../base/clock.ts';
import type { Pace } from '../pace.ts';
import { pause } from '../pause.ts';
import type { HttpAnswer } from './client.ts';
import { readEvents } from './read-body.ts';

export interface KeptStream {
  readonly clock: Clock;
  readonly pace: Pace;
  /** A larger event ends the stream. */
  readonly maxAnswerBytes: number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Undefined when the server has no such stream, now or later. */
  open(lastEventId: string | undefined): Promise<HttpAnswer | undefined>;
  onMessage(text: string): void;
  /** It is open again: what was announced in between may have been missed. */
  onReopened(): void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

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
          retryMs = Math.min(wanted, longestPauseMs);
        },
        onEvent: ({ event, data, id }) => {
          heard = true;
          lastEventId = id;
          if (event === 'message' && data !== '') onMessage(data);
        },
      });
    } catch {
      // Whatever kept it from opening may have passed by the next try; calls report the failure.
    }
    if (heard) delayMs = firstPauseMs;
    // Many of us may have lost one server at the same moment.
    await pause(clock, Math.max(retryMs, delayMs * (0.75 + Math.random() / 2)), signal);
    delayMs = Math.min(delayMs * 2, longestPauseMs);
  }
}
