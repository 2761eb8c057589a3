/**
 * A client on a pipe that cannot be served: its first request is answered with the reason, in either era, so that its person reads it
 * in the client. Nothing else is served.
 */
import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock } from '../base/async/clock.ts';
import { createLineReader } from '../base/rpc/lines.ts';
import { errorText, type RpcError } from '../base/rpc/rpc.ts';
import { parseLine } from './conversation/message.ts';

export interface RefuseStdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly error: RpcError;
  readonly clock?: Clock;
}

/** A client asks at once; a program that has not asked by then is not a client. */
const patienceMs = 3_000;
/** A client that is refused in one era may ask in the other. */
const againMs = 1_000;
/** Longer than any first request. */
const maxBytes = 1024 * 1024;

/** Resolves when the client was told and has had the time to ask again, when it has left, or when there is none. */
export function refuseFrontStdio({ input, output, error, clock = systemClock }: RefuseStdioOptions): Promise<void> {
  return new Promise((resolve) => {
    let stopTimer = clock.after(patienceMs, () => finish());
    let told = false;
    const onLine = (line: string) => {
      const { batch, messages } = parseLine(line);
      const answers = messages.flatMap((message) => {
        if (message.kind === 'request') return [errorText(message.id, error)];
        return message.kind === 'invalid' ? [errorText(message.id, message.error)] : [];
      });
      if (answers.length === 0) return;
      output.write(`${batch ? `[${answers.join(',')}]` : answers.join('')}\n`);
      if (told || !messages.some(({ kind }) => kind === 'request')) return;
      told = true;
      stopTimer();
      stopTimer = clock.after(againMs, () => finish());
    };
    const reader = createLineReader({ maxBytes, onLine, onOversize() {} });
    const onData = (chunk: Buffer) => reader.push(chunk);
    const onEnd = () => {
      reader.end();
      finish();
    };
    const finish = () => {
      stopTimer();
      input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
      output.off('error', finish);
      input.pause();
      resolve();
    };
    input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
    output.on('error', finish);
    if (input.readableEnded || input.destroyed) finish();
    else input.resume();
  });
}
