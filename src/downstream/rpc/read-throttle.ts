/**
 * Limits how fast a server is read. What it says unasked must be looked at before it can be left out, and a server that says very
 * much would keep all others waiting: above a limit its streams are not read for a moment, so that the server has to wait.
 * Answers do not count.
 */
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/async/clock.ts';

export interface ReadThrottle {
  /** Something came that does not answer a request of ours. */
  heard(length: number): void;
  /** Hands on what a stream brings, with rests where they are needed. Returns a function that ends the rests. */
  read<T extends Buffer | string>(stream: Readable, onData: (chunk: T) => void): () => void;
}

/** Allows 50,000 messages or 160 MB a second; the rests are too short to be noticed. */
const momentMs = 20;
const maxMessages = 1_000;
const maxBytes = 3 * 1024 * 1024;
/** The shortest rest: others get their turn even when reading alone took the whole interval. */
const shortestRestMs = 5;

export function createReadThrottle(clock: Clock): ReadThrottle {
  let begun = Number.NEGATIVE_INFINITY;
  let messages = 0;
  let bytes = 0;
  let restUntil = Number.NEGATIVE_INFINITY;
  return {
    heard(length) {
      const now = clock.now();
      // This holds after a clock was set back, too.
      if (now - begun >= momentMs || now < begun) {
        begun = now;
        messages = 0;
        bytes = 0;
      }
      messages++;
      bytes += length;
      if (messages <= maxMessages && bytes <= maxBytes) return;
      restUntil = Math.max(begun + momentMs, now + shortestRestMs);
    },
    read(stream, onData) {
      let over = false;
      let stopTimer = () => {};
      const goOn = () => void stream.resume();
      stream.on('data', (chunk) => {
        onData(chunk);
        const restMs = Math.min(momentMs, restUntil - clock.now());
        if (over || restMs <= 0) return;
        stream.pause();
        stopTimer();
        stopTimer = clock.after(restMs, goOn);
      });
      return () => {
        over = true;
        stopTimer();
        goOn();
      };
    },
  };
}
