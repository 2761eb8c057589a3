/**
 * The transport of 2024-11-05: one stream that carries everything the server says, and an address, named by the stream's first
 * event, that takes everything we say. The stream is the session: when it ends, so does the connection.
 */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { pause } from '../rpc/pause.ts';
import type { HttpAnswer } from './client.ts';
import { lostAnswer, notMcp, tooLarge, toStatusFailure } from './failure.ts';
import { failRequest, type HttpChannel, type HttpChannelContext } from './http-channel.ts';
import { dropBody, readEvents } from './read-body.ts';

const endpointWaitMs = 10_000;

/** Resolves when the stream has named the address. Rejects with a WorkbenchError when the server has no such stream. */
export async function openSseChannel(context: HttpChannelContext): Promise<HttpChannel> {
  const { endpoint, peer } = context;
  const closed = new AbortController();
  const signal = closed.signal;
  const place = { server: endpoint.server, url: endpoint.url };
  const answer = await endpoint.ask({ method: 'GET', headers: [['accept', 'text/event-stream']], signal });
  if (answer.status !== 200 || answer.type !== 'text/event-stream') {
    dropBody(answer);
    if (answer.status >= 400) throw toStatusFailure(place, answer.status);
    throw notMcp(place, 'has no stream of events');
  }

  let address: URL | undefined;
  const named = new Promise<string>((resolve) => {
    const read = readEvents(answer, {
      maxLength: context.maxAnswerBytes,
      pace: context.pace,
      onEvent: ({ event, data }) => {
        if (event === 'endpoint') resolve(data);
        else if (event === 'message' && data !== '') peer.receive(data);
      },
    });
    void read.then(({ complete }) => {
      resolve('');
      if (!signal.aborted && address !== undefined)
        context.onLost(complete ? lostAnswer(endpoint.server) : tooLarge(endpoint.server, context.maxAnswerBytes));
    });
  });
  const first = await Promise.race([named, pause(context.clock, endpointWaitMs, signal).then(() => '')]);
  try {
    address = resolveAddress(first, answer);
  } catch (error) {
    closed.abort();
    throw error;
  }

  const post = async (line: string): Promise<void> => {
    const headers: [string, string][] = [['content-type', 'application/json']];
    const taken = await endpoint.ask({ method: 'POST', url: address as URL, headers, body: line, signal });
    dropBody(taken);
    if (taken.status >= 300) throw toStatusFailure(place, taken.status);
  };
  // The server must get `initialized` before every later message, and each message may take another connection.
  let last: Promise<void> = Promise.resolve();
  return {
    send(message) {
      const before = message.method === 'notifications/cancelled' ? Promise.resolve() : last;
      const done = before.then(() => post(String(message.line)));
      if (message.method === 'notifications/initialized') last = done.catch(() => {});
      done.catch((error: unknown) => {
        if (!signal.aborted) failRequest(context, message, error);
      });
    },
    takeBack: () => false,
    async close() {
      closed.abort();
    },
  };

  function resolveAddress(text: string, { url }: HttpAnswer): URL {
    if (text === '' || !URL.canParse(text, url.href))
      throw notMcp(place, 'has a stream of events, but not one of an MCP server');
    const found = new URL(text, url);
    if (found.origin === url.origin) return found;
    throw new WorkbenchError(
      'WB1312',
      `Server '${endpoint.server}' wants its messages sent to another origin, ${toPrintable(`${found.protocol}//${found.host}`, 200)}.`,
    );
  }
}
