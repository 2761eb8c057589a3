/** What a client that begins like this would be answered now: its questions are asked once more, one by one, by nobody. */
import { PassThrough, Writable } from 'node:stream';
import { type Clock, within } from '../base/clock.ts';
import type { FirstExchange } from '../base/first-exchange.ts';
import { createLineReader } from '../base/lines.ts';
import type { Front } from '../front/front.ts';
import type { ServeStdioOptions, StdioService } from './stdio.ts';

/** All is known that is asked for; whatever takes longer is not worth it. */
const longestMs = 1_000;

export interface AskAgainOptions {
  readonly front: Front;
  readonly clock: Clock;
  serve(streams: Pick<ServeStdioOptions, 'front' | 'input' | 'output'>): StdioService;
}

/** Those that were answered in time, from the first on. */
export async function askAgain(
  questions: readonly string[],
  { front, clock, serve }: AskAgainOptions,
): Promise<FirstExchange[]> {
  const exchanges: FirstExchange[] = [];
  const input = new PassThrough();
  let onAnswer = (_: string) => {};
  // Messages that answer nothing begin otherwise.
  const reader = createLineReader({
    maxBytes: Number.POSITIVE_INFINITY,
    onLine: (line) => line.startsWith('{"jsonrpc":"2.0","id":') && onAnswer(line),
    onOversize() {},
  });
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      reader.push(chunk);
      done();
    },
  });
  const service = serve({ front: unseen(front), input, output });
  const askAll = async () => {
    for (const line of questions) {
      const answered = new Promise<string>((resolve) => {
        onAnswer = resolve;
      });
      input.write(`${line}\n`);
      exchanges.push({ line, answer: await answered });
    }
  };
  await within(clock, longestMs, askAll());
  service.close();
  return [...exchanges];
}

/** Whoever looks through it leaves no trace. */
function unseen(front: Front): Front {
  return {
    connect: (client, options) => front.connect(client, { ...options, unseen: true }),
    meet() {},
    findOwn: () => undefined,
    setLogLevel() {},
    findLoop: (trail) => front.findLoop(trail),
    reaches: () => front.reaches(),
    onWarning: () => () => {},
  };
}
