/** A client of the handshake era over HTTP, in a session, some with a stream for what belongs to no request. */

import type { Place } from '../place.ts';
import type { Json } from './answer.ts';
import { capabilities, clientInfo, type SoakClient, type Strays } from './client.ts';
import { createConversation } from './conversation.ts';
import { newAgent, post } from './http-post.ts';

const version = '2025-11-25';

export async function createLegacyClient(
  { url, token }: Place,
  strays: Strays,
  { listens }: { readonly listens: boolean },
): Promise<SoakClient> {
  const conversation = createConversation(strays);
  let agent = newAgent();
  let session = '';
  let stopListening = () => {};

  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== '' && { 'mcp-session-id': session, 'mcp-protocol-version': version }),
  });
  const tell = (body: Json) => post({ url, agent, headers: headers(), body }).done;
  /** What cannot be told shows in the call it was about. */
  const tellLater = (body: Json) => void tell(body).catch(() => {});

  const begin = async () => {
    session = '';
    const body = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: version, capabilities, clientInfo },
    };
    const { status, headers: given } = await tell(body);
    session = String(given['mcp-session-id'] ?? '');
    if (session === '') throw new Error(`no session: status ${status}`);
    await tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    if (!listens) return;
    const stream = post({
      url,
      agent,
      method: 'GET',
      headers: headers(),
      onMessage: ({ id, method }) => id !== undefined && strays.stray(`on the general stream: ${method ?? id}`),
    });
    stream.done.catch(() => {});
    stopListening = stream.hangUp;
  };
  const end = async () => {
    stopListening();
    await post({ url, agent, method: 'DELETE', headers: headers() }).done;
    agent.destroy();
  };

  await begin();
  return {
    era: 'legacy',
    get open() {
      return conversation.open;
    },
    ask(asking) {
      const { id, message, answer } = conversation.begin(asking);
      let cancelled = false;
      post({
        url,
        agent,
        headers: headers(),
        body: message,
        onMessage: (each) => conversation.take(each, id, tellLater),
      }).done.then(
        ({ status }) =>
          conversation.end(id, cancelled ? { kind: 'none' } : { kind: 'failed', why: `status ${status}, no answer` }),
        (error: Error) => conversation.end(id, { kind: 'failed', why: error.message }),
      );
      return {
        answer,
        cancel() {
          cancelled = true;
          tellLater({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'soak' } });
        },
      };
    },
    async renew() {
      await end();
      agent = newAgent();
      await begin();
    },
    close: end,
  };
}
