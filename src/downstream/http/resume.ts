/** Goes on reading where a stream broke off before the answer came, as long as the server allows it. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { pause } from '../rpc/pause.ts';
import type { HttpAnswer } from './client.ts';
import { lostAnswer } from './failure.ts';
import type { HttpChannelContext } from './http-channel.ts';
import { dropBody } from './read-body.ts';
import { type Position, type ResponseSink, readResponse } from './read-response.ts';

export interface Resumption {
  readonly position: Position;
  readonly hearer: ResponseSink;
  readonly signal: AbortSignal;
  open(lastEventId: string): Promise<HttpAnswer>;
}

const defaultRetryMs = 1_000;
const maxRetryMs = 60_000;
/** How many openings in a row may fail or bring nothing. */
const maxVain = 5;

/** Rejects with "outcome unknown" when there is nothing to resume or the server refuses. */
export async function resume(
  context: HttpChannelContext,
  { position, hearer, signal, open }: Resumption,
): Promise<void> {
  const lost = () => lostAnswer(context.endpoint.server);
  let { lastEventId, retryMs } = position;
  for (let vain = 0; vain < maxVain; vain++) {
    if (lastEventId === undefined) throw lost();
    const wait = Math.min(retryMs ?? defaultRetryMs * 2 ** vain, maxRetryMs);
    await pause(context.clock, wait, signal);
    if (signal.aborted || !hearer.awaits()) return;
    const answer = await open(lastEventId).catch((error: unknown) => {
      // A server that refuses us now will refuse us again; a network that is down may come back.
      if (error instanceof WorkbenchError && error.code !== 'WB1305' && error.code !== 'WB1307') throw error;
      return undefined;
    });
    if (answer === undefined) continue;
    if (answer.status !== 200 || answer.type !== 'text/event-stream') {
      dropBody(answer);
      throw lost();
    }
    const next = await readResponse(context, answer, hearer);
    if (next === undefined) return;
    if (next.lastEventId !== undefined && next.lastEventId !== lastEventId) vain = -1;
    lastEventId = next.lastEventId ?? lastEventId;
    retryMs = next.retryMs ?? retryMs;
  }
  throw lost();
}
