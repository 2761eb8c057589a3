import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Call, CallOutcome, ClientSession } from '../../src/base/call/call.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { silentLog } from '../../src/base/text/log.ts';
import { serveFrontStdio } from '../../src/serve/stdio.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { at, createAnsweringFront, everything, form, gathered, identity, tellAnswers } from './support.ts';

const accepted = { action: 'accept', content: {} };
const asks = async (call: Call): Promise<CallOutcome> => tellAnswers(await call.ask(form));

/** A service on a pipe; `tell` writes one line and lets everything settle. */
function setUp(answer: (call: Call) => Promise<CallOutcome>) {
  const front = createAnsweringFront(answer);
  const clock = createFakeClock();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const service = serveFrontStdio({ front, identity, input, output, log: silentLog, clock });
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JsonObject);
  const tell = async (message: unknown): Promise<JsonObject[]> => {
    const before = lines().length;
    input.write(`${JSON.stringify(message)}\n`);
    await clock.advance(gathered);
    await clock.advance(0);
    return lines().slice(before);
  };
  return { front, clock, input, service, lines, tell };
}

const initialize = (version = '2025-11-25') => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: version, capabilities: everything, clientInfo: { name: 'old', version: '1' } },
});
const legacyCall = (id = 1) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask' } });
const modernCall = (id: number, params: JsonObject = {}) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': everything,
  };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask', ...params, _meta } };
};

describe('a question over a pipe in the handshake era', () => {
  it('a question over a pipe in the handshake era is a request of ours, answered by a response of the client', async () => {
    const { tell } = setUp(asks);
    await tell(initialize());
    const [question] = await tell(legacyCall());
    expect(question).toMatchObject({ ...form, id: expect.any(String) });
    const response = { jsonrpc: '2.0', id: question?.id, result: accepted };
    const [answer, ...more] = await tell(response);
    expect(at(answer, 'result', 'structuredContent')).toEqual({ answers: [{ result: accepted }] });
    expect(more).toEqual([]);
    expect(await tell(response)).toEqual([]);
  });

  it('a question over a pipe in the handshake era may be answered in a batch where there are batches', async () => {
    const { tell, front } = setUp(async (call) => tellAnswers(await call.ask({ method: 'roots/list', params: {} })));
    await tell(initialize('2025-03-26'));
    const [question] = await tell(legacyCall());
    const lines = await tell([
      { jsonrpc: '2.0', id: question?.id, result: { roots: [] } },
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    ]);
    expect(lines).toMatchObject([{ id: 1, result: {} }]);
    expect(front.calls).toHaveLength(1);
  });

  it('a question over a pipe in the handshake era of an earlier handshake is not answered by a late response', async () => {
    const { tell } = setUp(asks);
    await tell(initialize());
    const [first] = await tell(legacyCall());
    await tell({ ...initialize(), id: 7 });
    const [second] = await tell(legacyCall(2));
    expect(second?.id).not.toBe(first?.id);
    expect(await tell({ jsonrpc: '2.0', id: first?.id, result: accepted })).toEqual([]);
  });

  it('a question over a pipe in the handshake era gets an error when the input ends, so that its call can be answered', async () => {
    const { tell, input, service, lines, clock } = setUp(asks);
    await tell(initialize());
    await tell(legacyCall());
    input.end();
    await clock.advance(0);
    await service.done;
    expect(at(lines().at(-1), 'result', 'structuredContent')).toMatchObject({ answers: [{ error: {} }] });
  });

  it('a question over a pipe in the handshake era is heard of no more after the end', async () => {
    let answered: unknown;
    const { tell, service, clock } = setUp(async (call) => {
      answered = await call.ask(form);
      return tellAnswers();
    });
    await tell(initialize());
    await tell(legacyCall());
    service.close();
    await clock.advance(0);
    expect(answered).toMatchObject({ error: {} });
  });

  it('a question over a pipe in the handshake era comes from a client that announces its roots', async () => {
    const { tell, front } = setUp(asks);
    await tell(initialize());
    let heard = 0;
    const session = front.clients[0]?.session as ClientSession;
    session.onRootsChanged(() => heard++);
    await tell({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    expect(heard).toBe(1);
  });
});

describe('a question over a pipe in the stateless era', () => {
  it('a question over a pipe in the stateless era is the answer to the call, which goes on with the next request', async () => {
    const { tell, front } = setUp(asks);
    const [asked] = await tell(modernCall(1));
    expect(asked).toMatchObject({ id: 1, result: { resultType: 'input_required', inputRequests: { q1: form } } });
    const requestState = at(asked, 'result', 'requestState') as string;
    const [answer] = await tell(modernCall(2, { requestState, inputResponses: { q1: accepted } }));
    expect(answer).toMatchObject({ id: 2, result: { resultType: 'complete' } });
    expect(front.calls).toHaveLength(1);
  });

  it('a question over a pipe in the stateless era is not taken back by cancelling what is answered, but its call is by cancelling what waits', async () => {
    const { tell, front } = setUp(async (call) => {
      await call.ask(form);
      return new Promise(() => {});
    });
    const [asked] = await tell(modernCall(1));
    await tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const { signal } = front.calls[0] as Call;
    expect(signal.aborted).toBe(false);
    const requestState = at(asked, 'result', 'requestState') as string;
    expect(await tell(modernCall(2, { requestState, inputResponses: { q1: accepted } }))).toEqual([]);
    expect(await tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })).toEqual([]);
    expect(signal.aborted).toBe(true);
  });

  it.each(['input.end', 'service.close'])(
    'a question over a pipe in the stateless era is given up with its call at the end: %s',
    async (end) => {
      const { tell, front, input, service, clock } = setUp(asks);
      await tell(modernCall(1));
      if (end === 'input.end') input.end();
      else service.close();
      await clock.advance(0);
      expect(front.calls[0]?.signal.aborted).toBe(true);
      if (end === 'input.end') await service.done;
    },
  );

  it('a question over a pipe in the stateless era leaves a call that goes on to finish when the input ends', async () => {
    let finish = () => {};
    const { tell, front, input, service, clock, lines } = setUp(async (call) => {
      const answer = await call.ask(form);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return tellAnswers(answer);
    });
    const [asked] = await tell(modernCall(1));
    const requestState = at(asked, 'result', 'requestState') as string;
    await tell(modernCall(2, { requestState, inputResponses: { q1: accepted } }));
    input.end();
    await clock.advance(0);
    expect(front.calls[0]?.signal.aborted).toBe(false);
    finish();
    await service.done;
    expect(lines().at(-1)).toMatchObject({ id: 2, result: { resultType: 'complete' } });
  });
});
