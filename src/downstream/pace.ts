/**
 * How fast a server is read. What it says unasked must be looked at before it can be left out, and one that says very much would
 * keep all others waiting: over a measure its streams are not read for a moment, and the server has to wait with its writing.
 * Answers do not count, however many they are.
 */
import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';

export interface Pace {
  /** Something came that answers no request of ours. */
  heard(length: number): void;
  /** Hands on what a stream brings, with rests where they are needed. Returns the function after which there are none. */
  read<T extends Buffer | string>(stream: Readable, onData: (chunk: T) => void): () => void;
}

/** As much as 50,000 messages or 160 MB a second, but in moments so short that nobody notices them. */
const momentMs = 20;
const mostMessages = 1_000;
const mostBytes = 3 * 1024 * 1024;
/** When reading alone took the moment, others still get their turn. */
const shortestRestMs = 5;

export function createPace(clock: Clock): Pace {
  let begun = Number.NEGATIVE_INFINITY;
  let messages = 0;
  let bytes = 0;
  let restUntil = Number.NEGATIVE_INFINITY;
  return {
    heard(length) {
      const now = clock.now();
      // Also after a clock was set back.
      if (now - begun >= momentMs || now < begun) {
        begun = now;
        messages = 0;
        bytes = 0;
      }
      messages++;
      bytes += length;
      if (messages <= mostMessages && bytes <= mostBytes) return;
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
