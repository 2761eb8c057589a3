/**
 * Answers the first questions of a client as an earlier run did, for as long as they are the same ones. Everything that was read
 * is given back: whoever takes over reads it again, and is told which answers the client has.
 */
import { Readable, type Writable } from 'node:stream';
import { type FirstExchange, mostFirst } from '../base/first-exchange.ts';
import { findMember, parseObject } from '../base/json.ts';
import { createLineReader } from '../base/lines.ts';
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

export function answerEarly({ input, output, find }: EarlyOptions): Promise<Early> {
  const given: FirstExchange[] = [];
  let answers: Answers | undefined;

  /** Whether nothing of it is left to do here. */
  const take = (line: string): boolean => {
    // Each is held until the program is there.
    if (given.length === mostFirst) return false;
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
    const chunks: Buffer[] = [];
    let bytes = 0;
    let left = false;
    // The very reader of the program: what was answered is known by the text of its line.
    const reader = createLineReader({
      maxBytes: mostBytes,
      onLine: (line) => !left && !take(line) && goOn(),
      onOversize() {},
    });
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      reader.push(chunk);
      if (left) return;
      if (bytes > mostBytes) goOn();
      else patience.refresh();
    };
    const leave = () => {
      left = true;
      clearTimeout(patience);
      clearTimeout(limit);
      input.off('data', onData).off('end', onEnd).off('error', onEnd);
      output.off('error', onClosed);
    };
    const goOn = () => {
      leave();
      input.pause();
      if (bytes > 0) input.unshift(Buffer.concat(chunks));
      resolve({ given, input });
    };
    const onEnd = () => {
      leave();
      resolve({ given, input: Readable.from(chunks) });
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
