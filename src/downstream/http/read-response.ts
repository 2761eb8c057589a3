/** Reads what a server says to one request: a plain answer, or a stream of messages with the answer among them. */
import type { HttpAnswer } from './client.ts';
import { lostAnswer, notMcp, tooLarge } from './failure.ts';
import type { HttpChannelContext } from './http-channel.ts';
import { dropBody, readBodyText, readEvents } from './read-body.ts';

/** A stream that goes on after the answer has this long to end by itself. */
const lastWordsMs = 1_000;

/** Where a stream ended that did not bring the answer. */
export interface Position {
  readonly lastEventId: string | undefined;
  readonly retryMs: number | undefined;
}

/** Takes the messages. */
export interface ResponseSink {
  receive(text: string): void;
  /** False once the answer has come or is not wanted any more. */
  awaits(): boolean;
}

export function responseSinkOf({ peer }: HttpChannelContext, id: number): ResponseSink {
  return { receive: (text) => peer.receive(text, id), awaits: () => peer.awaits(id) };
}

/**
 * Hands everything to the hearer. Gives undefined once the request is answered or given up, and a position when a stream ended
 * before that. Throws a WorkbenchError when what came is not an answer.
 */
export async function readResponse(
  { endpoint, clock, pace, maxAnswerBytes }: HttpChannelContext,
  answer: HttpAnswer,
  hearer: ResponseSink,
): Promise<Position | undefined> {
  const place = { server: endpoint.server, url: answer.url };
  if (answer.type === 'text/event-stream') {
    let position: Position = { lastEventId: undefined, retryMs: undefined };
    let stopTimer: (() => void) | undefined;
    const { complete } = await readEvents(answer, {
      maxLength: maxAnswerBytes,
      pace,
      onRetry: (retryMs) => {
        position = { ...position, retryMs };
      },
      onEvent: ({ event, data, id: eventId }) => {
        position = { ...position, lastEventId: eventId };
        if (event === 'message' && data !== '') hearer.receive(data);
        if (!hearer.awaits()) stopTimer ??= clock.after(lastWordsMs, () => answer.body.destroy());
      },
    });
    stopTimer?.();
    if (!complete) throw tooLarge(endpoint.server, maxAnswerBytes);
    return hearer.awaits() ? position : undefined;
  }
  if (answer.type !== 'application/json' && !answer.type.endsWith('+json')) {
    dropBody(answer);
    if (answer.type === '') throw notMcp(place, `gave no answer to a request (status ${answer.status})`);
    throw notMcp(place, `answered with ${answer.type.replace(/[^\w./+-]/g, '').slice(0, 60)} instead of JSON`);
  }
  const text = await readBodyText(answer, maxAnswerBytes);
  if (text === undefined) throw tooLarge(endpoint.server, maxAnswerBytes);
  if (!answer.body.complete) throw lostAnswer(endpoint.server);
  hearer.receive(text);
  if (hearer.awaits()) throw notMcp(place, 'sent an answer that does not belong to the request');
  return undefined;
}
