/**
 * Streamable HTTP of the stateless era: every request stands alone, says in headers what it is about, and is cancelled by
 * ending it. Announcements come on a request of their own that is kept open.
 */
import { encodeHeaderValue } from '../../base/call/header-value.ts';
import { findString } from '../../base/json/json.ts';
import { methodFacts } from '../../base/rpc/mcp.ts';
import { requestText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { modernVersion } from '../era/modern.ts';
import type { Outgoing } from '../rpc/transport.ts';
import type { HttpAnswer } from './client.ts';
import { lostAnswer, toStatusFailure } from './failure.ts';
import { bothTypes, failRequest, type HttpChannel, type HttpChannelContext, saysUnknown } from './http-channel.ts';
import { keepStream } from './keep-stream.ts';
import { dropBody, readBodyText } from './read-body.ts';
import { readResponse, responseSinkOf } from './read-response.ts';
import { findRpcError } from './rpc-answer.ts';
import type { ToolHeaders } from './tool-headers.ts';

const maxErrorBytes = 1024 * 1024;

export interface ModernChannelOptions {
  readonly tools: ToolHeaders;
  /** Reads the list of tools again, so that `tools` knows which headers they want now. */
  relist(): Promise<void>;
}

/** A request of ours; nothing else is ever sent in this era. */
type Request = Outgoing & { readonly id: number; readonly method: string };

export function createModernChannel(context: HttpChannelContext, { tools, relist }: ModernChannelOptions): HttpChannel {
  const { endpoint, peer, clock } = context;
  const open = new Map<number, AbortController>();
  const closed = new AbortController();

  const post = (message: Request, line: string, signal: AbortSignal): Promise<HttpAnswer> =>
    endpoint.ask({ method: 'POST', headers: toHeaders(message, tools), body: line, signal });

  const refused = async (
    message: Request,
    answer: HttpAnswer,
    signal: AbortSignal,
    isRetry: boolean,
  ): Promise<void> => {
    const { id, method } = message;
    const error = findRpcError((await readBodyText(answer, maxErrorBytes)) ?? '');
    if (error?.code === rpcCode.headerMismatch && method === 'tools/call' && !isRetry) {
      await relist();
      context.onListAnnounced();
      return exchange(message, signal, true);
    }
    if (error !== undefined) peer.settle(id, { error });
    else if (method === 'server/discover' && saysUnknown(answer.status))
      peer.settle(id, { error: rpcError(rpcCode.methodNotFound, `status ${answer.status}`) });
    else throw toStatusFailure({ server: endpoint.server, url: answer.url }, answer.status);
  };

  const exchange = async (message: Request, signal: AbortSignal, isRetry = false): Promise<void> => {
    const answer = await post(message, String(message.line), signal);
    if (answer.status >= 300) return refused(message, answer, signal, isRetry);
    const unanswered = await readResponse(context, answer, responseSinkOf(context, message.id));
    if (unanswered !== undefined) throw lostAnswer(endpoint.server);
  };

  /** Each opening is a request with its own id; only what comes before its answer matters. */
  const listen = async (message: Request, ended: AbortSignal): Promise<void> => {
    const signal = AbortSignal.any([closed.signal, ended]);
    let opened = 0;
    await keepStream({
      clock,
      pace: context.pace,
      maxAnswerBytes: context.maxAnswerBytes,
      signal,
      async open() {
        const line = requestText(`listen-${message.id}-${++opened}`, message.method, message.params ?? {});
        const answer = await post(message, line, signal);
        if (answer.status === 200 && answer.type === 'text/event-stream') return answer;
        dropBody(answer);
        return undefined;
      },
      onMessage: (text) => peer.receive(text),
      onReopened: context.onListAnnounced,
    });
    peer.settle(message.id, { error: rpcError(rpcCode.methodNotFound, 'no stream of announcements') });
  };

  return {
    send(message) {
      const { id, method } = message;
      if (id === undefined || method === undefined) return;
      const request: Request = { ...message, id, method };
      const control = new AbortController();
      open.set(id, control);
      const carried =
        method === 'subscriptions/listen' ? listen(request, control.signal) : exchange(request, control.signal);
      carried
        .catch((error: unknown) => {
          if (!control.signal.aborted) failRequest(context, request, error);
        })
        .finally(() => open.delete(id));
    },
    takeBack(id) {
      open.get(id)?.abort();
      return true;
    },
    async close() {
      closed.abort();
      for (const control of open.values()) control.abort();
    },
  };
}

function toHeaders({ method, params = {} }: Request, tools: ToolHeaders): [string, string][] {
  const { named } = methodFacts(method);
  const name = named && findString(params, named.key);
  return [
    ...(method === 'tools/call' ? tools.of(params) : []),
    ['content-type', 'application/json'],
    ['accept', bothTypes],
    ['mcp-protocol-version', modernVersion],
    ['mcp-method', encodeHeaderValue(method)],
    ...(name === undefined ? [] : ([['mcp-name', encodeHeaderValue(name)]] as [string, string][])),
  ];
}
