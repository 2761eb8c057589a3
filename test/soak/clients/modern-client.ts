/** A client of the stateless era over HTTP: every request says all of it, questions come as an answer, hanging up cancels. */

import type { Place } from '../place.ts';
import { type Answer, isObject, type Json, toAnswer } from './answer.ts';
import { type Asking, capabilities, clientInfo, type SoakClient, type Strays } from './client.ts';
import { newAgent, post } from './http-post.ts';

const version = '2026-07-28';
const key = (name: string) => `io.modelcontextprotocol/${name}`;
const meta = {
  [key('protocolVersion')]: version,
  [key('clientInfo')]: clientInfo,
  [key('clientCapabilities')]: capabilities,
};
const mostRounds = 4;

export function createModernClient({ url, token }: Place, strays: Strays): SoakClient {
  let agent = newAgent();
  let last = 0;
  let open = 0;

  const once = (asking: Asking, round: Json, setHangUp: (hangUp: () => void) => void): Promise<Answer> => {
    const id = ++last;
    const { method, onProgress } = asking;
    const params = { ...asking.params, ...round, _meta: { ...meta, ...(onProgress && { progressToken: id }) } };
    const name = asking.params.name;
    let answer: Answer | undefined;
    const { done, hangUp } = post({
      url,
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      },
      body: { jsonrpc: '2.0', id, method, params },
      onMessage(message) {
        if (message.method === 'notifications/progress') {
          const params = (message.params ?? {}) as Json;
          if (params.progressToken === id) onProgress?.(params);
          else strays.stray(`progress of ${params.progressToken} instead of ${id}`);
        } else if (message.method !== undefined) return;
        else if (message.id !== id) strays.stray(`an answer to ${message.id} instead of ${id}`);
        else if (answer !== undefined) strays.twice(JSON.stringify(message).slice(0, 200));
        else answer = toAnswer(message);
      },
    });
    setHangUp(hangUp);
    return done.then(
      ({ status }) => answer ?? { kind: 'failed', why: `status ${status} without an answer` },
      (error: Error) => ({ kind: 'failed', why: error.message }),
    );
  };

  const all = async (asking: Asking, setHangUp: (hangUp: () => void) => void): Promise<Answer> => {
    let round: Json = {};
    for (let rounds = 0; rounds < mostRounds; rounds++) {
      const answer = await once(asking, round, setHangUp);
      if (answer.kind !== 'result' || answer.result.resultType !== 'input_required') return answer;
      round = answerQuestions(answer.result, asking);
    }
    return { kind: 'failed', why: 'asks again and again' };
  };

  return {
    era: 'modern',
    get open() {
      return open;
    },
    ask(asking) {
      let hangUp = () => {};
      let cancelled = false;
      open++;
      const answer = all(asking, (next) => {
        hangUp = next;
      }).finally(() => open--);
      return {
        answer: answer.then((each) => (cancelled && each.kind === 'failed' ? { kind: 'none' } : each)),
        cancel() {
          cancelled = true;
          hangUp();
        },
      };
    },
    async renew() {
      agent.destroy();
      agent = newAgent();
    },
    async close() {
      agent.destroy();
    },
  };
}

function answerQuestions({ inputRequests, requestState }: Json, { onQuestion }: Asking): Json {
  const inputResponses: Json = {};
  for (const [name, question] of Object.entries((inputRequests ?? {}) as Record<string, Json>))
    inputResponses[name] = onQuestion?.(isObject(question.params) ? question.params : {}) ?? { action: 'cancel' };
  return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}
