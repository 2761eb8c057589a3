/**
 * Answers the first questions of a client as an earlier run did, for as long as they are the same ones. Everything that was read
 * is given back: whoever takes over reads it again, and is told which answers the client has.
 */
import { Readable, type Writable } from 'node:stream';
import type { FirstExchange } from '../base/first-exchange.ts';
import { findMember, parseObject } from '../base/json.ts';
import { cutId } from './cut-id.ts';
import { type Answers, answerHead } from './opening-file.ts';

export interface Early {
  /** Emptied by whoever takes over, so that the answers are not held for as long as the client stays. */
  readonly given: FirstExchange[];
  /** The client, from its first byte on. */
  readonly input: Readable;
}

export interface EarlyOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** What a client is answered that asks this first. */
  find(first: string): Answers | undefined;
}

/** After so long without a question the program is loaded, which holds up whatever comes meanwhile. */
const patienceMs = 30;
const longestMs = 250;
/** Questions are short; whatever is longer is none that could be answered here. */
const mostBytes = 64 * 1_024;
/** Nobody needs more before the program is there, and each is held until it is. */
const mostGiven = 8;
const newline = 0x0a;
const carriageReturn = 0x0d;

export function answerEarly({ input, output, find }: EarlyOptions): Promise<Early> {
  const given: FirstExchange[] = [];
  let answers: Answers | undefined;

  /** Whether nothing of it is left to do here. */
  const take = (line: string): boolean => {
    if (given.length === mostGiven) return false;
    const asked = cutId(line);
    if (asked === undefined) return given.length > 0 && isHarmless(line);
    answers ??= find(asked.rest);
    const answer = answers?.get(asked.rest);
    if (answer === undefined) return false;
    const head = `${answerHead}${asked.id}`;
    output.cork();
    output.write(head);
    output.write(answer);
    output.uncork();
    given.push({ line, answer: `${head}${answer.toString('utf8', 0, answer.length - 1)}` });
    return true;
  };

  return new Promise((resolve) => {
    let read: Buffer = Buffer.alloc(0);
    let at = 0;
    const onData = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      for (let end = read.indexOf(newline, at); end >= 0; end = read.indexOf(newline, at)) {
        // As the program will read it: what was answered is known by its very text.
        const line = read.toString('utf8', at, read[end - 1] === carriageReturn && end > at ? end - 1 : end);
        at = end + 1;
        if (line !== '' && !take(line)) return goOn();
      }
      if (read.length > mostBytes) goOn();
      else patience.refresh();
    };
    const leave = () => {
      clearTimeout(patience);
      clearTimeout(limit);
      input.off('data', onData).off('end', onEnd).off('error', onEnd);
      output.off('error', onClosed);
    };
    const goOn = () => {
      leave();
      input.pause();
      if (read.length > 0) input.unshift(read);
      resolve({ given, input });
    };
    const onEnd = () => {
      leave();
      resolve({ given, input: Readable.from(read.length > 0 ? [read] : []) });
    };
    // The program answers once more, and finds out by itself that nobody reads.
    const onClosed = () => {
      given.length = 0;
      goOn();
    };
    const patience = setTimeout(goOn, patienceMs);
    const limit = setTimeout(goOn, longestMs);
    input.on('data', onData).on('end', onEnd).on('error', onEnd);
    output.on('error', onClosed);
  });
}

/** It says nothing that an answer would depend on. */
function isHarmless(line: string): boolean {
  const message = parseObject(line);
  if (message === undefined || Object.hasOwn(message, 'id')) return false;
  return findMember(message, 'method') === 'notifications/initialized';
}
