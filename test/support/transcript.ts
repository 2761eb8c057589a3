/**
 * Everything a program wrote on stdout, line by line and untouched, with a way to wait for what is still to come.
 * It does its own framing: a fault in the framing under test must not hide itself, so blank lines and carriage returns stay.
 */
import type { JsonObject } from '../../src/base/json/json.ts';
import { parseLine } from './wire-check.ts';

export interface RawMessage {
  /** The line as it was written. */
  readonly raw: string;
  readonly message: JsonObject;
}

export type Predicate = (message: JsonObject, raw: string) => boolean;

export interface Transcript {
  /** Every line, whatever it holds. */
  readonly lines: readonly string[];
  /** Those lines that are JSON objects. */
  readonly messages: readonly RawMessage[];
  push(text: string): void;
  /** Nothing more will come: whoever still waits is told `why`. A last line without a newline counts. */
  end(why: string): void;
  /** The next message, not among those that came before, for which `predicate` holds. `what` begins the failure. */
  next(what: string, ms: number, predicate: Predicate): Promise<RawMessage>;
}

interface Waiter {
  readonly predicate: Predicate;
  resolve(found: RawMessage): void;
  reject(why: string): void;
}

export function createTranscript(): Transcript {
  const lines: string[] = [];
  const messages: RawMessage[] = [];
  const waiters = new Set<Waiter>();
  let held: string[] = [];
  let ended: string | undefined;

  const record = (raw: string) => {
    lines.push(raw);
    const message = parseLine(raw);
    if (message === undefined) return;
    const found = { raw, message };
    messages.push(found);
    for (const waiter of [...waiters]) if (waiter.predicate(message, raw)) waiter.resolve(found);
  };

  return {
    lines,
    messages,
    push(text) {
      const [first = '', ...rest] = text.split('\n');
      held.push(first);
      for (const start of rest) {
        record(held.join(''));
        held = [start];
      }
    },
    end(why) {
      const last = held.join('');
      held = [];
      if (last !== '') record(last);
      ended = why;
      for (const waiter of [...waiters]) waiter.reject(why);
    },
    next(what, ms, predicate) {
      if (ended !== undefined) return Promise.reject(new Error(`${what}: ${ended}`));
      return new Promise((resolve, reject) => {
        const settle = () => {
          clearTimeout(timer);
          waiters.delete(waiter);
        };
        const waiter: Waiter = {
          predicate,
          resolve(found) {
            settle();
            resolve(found);
          },
          reject(why) {
            settle();
            reject(new Error(`${what}: ${why}`));
          },
        };
        const tail = () => lines.slice(-5).join('\n').slice(-2_000);
        const timer = setTimeout(() => waiter.reject(`nothing after ${ms} ms. The last lines:\n${tail()}`), ms);
        waiters.add(waiter);
      });
    },
  };
}
