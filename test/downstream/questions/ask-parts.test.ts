import { describe, expect, it, vi } from 'vitest';
import { CancelToken } from '../../../src/base/async/cancel-token.ts';
import type { Call, Client, ClientSession } from '../../../src/base/call/call.ts';
import type { Json } from '../../../src/base/json/json.ts';
import { callEnded } from '../../../src/downstream/call/ask-client.ts';
import { InFlightCall } from '../../../src/downstream/call/in-flight-call.ts';
import { parseQuestion } from '../../../src/downstream/call/parse-question.ts';
import { type TimeLimit, TimeLimits } from '../../../src/downstream/call/time-limit.ts';
import { createElicitations, listElicitations } from '../../../src/downstream/questions/elicitations.ts';
import { createPresence } from '../../../src/downstream/questions/presence.ts';
import { findQuestionOwner, type QuestionOwnerFacts } from '../../../src/downstream/questions/question-owner.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { buildCall, createSession } from '../fake-server.ts';

type Of = { readonly call: Call };

describe('the owner of what a server says', () => {
  const session = createSession('ann');
  const plain: Client = { name: 'bob', principal: '' };
  const [first, second] = [1, 2].map(() => ({ call: buildCall({ client: session }) })) as [Of, Of];
  const [one, other] = [1, 2].map(() => ({ call: buildCall({ client: { ...plain } }) })) as [Of, Of];
  const own = createSession('other');
  const stranger = { call: buildCall({ client: own }) };
  const nobody = (why: string) => ({ to: 'nobody', why });
  const withCalls = (...calls: Of[]) => ({ to: 'calls', client: calls[0]?.call.client, calls });

  it.each<[string, Partial<QuestionOwnerFacts<Of>> & { calls?: Of[] }, object]>([
    ['a stream and its call', { stream: 0, calls: [one, stranger] }, withCalls(one)],
    ['a stream whose call is over', { stream: 9, calls: [one] }, nobody('no call')],
    ['no call and nobody', {}, nobody('no call')],
    ['no call and one client', { connected: [session] }, { to: 'client', client: session }],
    ['no call and two clients', { connected: [session, own] }, nobody('several clients')],
    ['one call, whoever is connected', { calls: [one], connected: [session, own] }, withCalls(one)],
    ['several calls of one session', { calls: [first, second] }, withCalls(first, second)],
    ['several calls of one client without a session', { calls: [one, other] }, withCalls(one, other)],
    ['calls of two sessions', { calls: [first, stranger] }, nobody('several clients')],
    ['a call, and one given up by another', { calls: [one], lingering: [own] }, nobody('several clients')],
    ['a call, and one given up by the same', { calls: [first], lingering: [session] }, withCalls(first)],
    [
      'one given up, and others connected',
      { lingering: [session], connected: [own] },
      { to: 'client', client: session },
    ],
  ])('with %s', (_case, { calls = [], ...ground }, whose) => {
    const inFlight = new Map(calls.map((call, at) => [at, call]));
    expect(findQuestionOwner({ stream: undefined, lingering: [], connected: [], ...ground, inFlight })).toEqual(whose);
  });
});

describe('who is connected', () => {
  it('is who has called and has not left, in the order they came', () => {
    const presence = createPresence(createFakeClock());
    const [ann, bob] = [createSession('ann'), createSession('bob')];
    for (const each of [ann, bob, ann]) presence.began(each);
    expect(presence.clients).toEqual([ann, bob]);
    ann.leave();
    expect(presence.clients).toEqual([bob]);
    presence.began(ann);
    expect(presence.clients).toEqual([bob, ann]);
  });

  it('is not who is known to call elsewhere', () => {
    const presence = createPresence(createFakeClock());
    const [ann, bob] = [createSession('ann'), createSession('bob')];
    for (const each of [ann, bob]) presence.began(each);
    presence.keepOnly(bob);
    expect(presence.clients).toEqual([bob]);
    presence.close();
    expect(presence.clients).toEqual([]);
  });

  it('is who has no session for a while after its call has ended', async () => {
    const clock = createFakeClock();
    const presence = createPresence(clock);
    const passing: Client = { name: 'x', principal: '' };
    presence.began(passing);
    expect(presence.clients).toEqual([]);
    presence.ended(passing);
    expect([presence.clients, presence.sessions]).toEqual([[passing], []]);
    await clock.advance(10_000);
    expect(presence.clients).toEqual([]);
  });

  it('is not who had left before it was noted', () => {
    const presence = createPresence(createFakeClock());
    const gone = createSession('gone');
    const onClose = (listener: () => void) => {
      listener();
      return () => {};
    };
    const session = { ...(gone.session as ClientSession), onClose };
    presence.began({ ...gone, session });
    expect(presence.clients).toEqual([]);
  });
});

describe('a question', () => {
  it.each<[string, string, Json | undefined, Json]>([
    ['without params has none', 'roots/list', undefined, {}],
    [
      'without a mode stays without',
      'elicitation/create',
      { message: 'm', requestedSchema: {} },
      { message: 'm', requestedSchema: {} },
    ],
    [
      'keeps the id of its address',
      'elicitation/create',
      { mode: 'url', elicitationId: 'e' },
      { mode: 'url', elicitationId: 'e' },
    ],
    ['is not answered later', 'elicitation/create', { message: 'm', task: { ttl: 1 } }, { message: 'm' }],
    [
      'loses what belongs to the hop of the server',
      'sampling/createMessage',
      { _meta: { progressToken: 1, 'io.modelcontextprotocol/related-task': {}, vendor: 2 }, maxTokens: 1 },
      { _meta: { vendor: 2 }, maxTokens: 1 },
    ],
    ['loses metadata that is empty then', 'roots/list', { _meta: { progressToken: 1 } }, {}],
    ...['thisServer', 'allServers', 7].map((includeContext): [string, string, Json, Json] => [
      `does not ask for the context ${includeContext}`,
      'sampling/createMessage',
      { includeContext, messages: [] },
      { messages: [] },
    ]),
    ['may ask for no context', 'sampling/createMessage', { includeContext: 'none' }, { includeContext: 'none' }],
    ['of another kind may have such a member', 'elicitation/create', { includeContext: 'x' }, { includeContext: 'x' }],
  ])('that %s', (_case, method, params, cleaned) => {
    expect(parseQuestion(method, params)).toEqual({ question: { method, params: cleaned } });
  });

  it.each<[Json | undefined, Json | undefined, number]>([
    ['tools/call', {}, -32601],
    ['constructor', {}, -32601],
    [undefined, {}, -32601],
    [{}, {}, -32601],
    ['roots/list', [], -32602],
    ['roots/list', 'x', -32602],
    ['sampling/createMessage', null, -32602],
  ])('is not %j with params %j', (method, params, code) => {
    expect(parseQuestion(method, params)).toMatchObject({ error: { code } });
  });
});

describe('the time limit of a call', () => {
  const start = () => {
    const clock = createFakeClock();
    const over: number[] = [];
    return { clock, over, limit: new TimeLimits(clock, 100).begin({ onTimeOver: () => over.push(clock.now()) }) };
  };

  it('is over after the time, once', async () => {
    const { clock, over } = start();
    await clock.advance(1_000);
    expect(over).toEqual([100]);
  });

  it('begins anew with every sign', async () => {
    const { clock, over, limit } = start();
    await clock.advance(90);
    limit.sign();
    await clock.advance(1_000);
    expect(over).toEqual([190]);
  });

  it('stands still while it is paused, and goes on where it was when the last pause ends', async () => {
    const { clock, over, limit } = start();
    await clock.advance(60);
    const [first, second] = [limit.pause(), limit.pause()];
    await clock.advance(10_000);
    first();
    first();
    await clock.advance(10_000);
    expect(over).toEqual([]);
    second();
    await clock.advance(39);
    expect(over).toEqual([]);
    await clock.advance(1);
    expect(over).toEqual([20_100]);
  });

  it('is whole again after a sign during the pause', async () => {
    const { clock, over, limit } = start();
    await clock.advance(60);
    const goOn = limit.pause();
    await clock.advance(500);
    limit.sign();
    await clock.advance(500);
    goOn();
    await clock.advance(1_000);
    expect(over).toEqual([1_160]);
  });

  it('counts for each call by itself, although all share one timer', async () => {
    const clock = createFakeClock();
    const limits = new TimeLimits(clock, 100);
    const over: string[] = [];
    const begin = (name: string) => limits.begin({ onTimeOver: () => over.push(`${name} ${clock.now()}`) });
    const first = begin('first');
    await clock.advance(10);
    const answered = begin('answered');
    await clock.advance(10);
    begin('third');
    expect(clock.pending).toBe(1);
    answered.stop();
    first.sign();
    await clock.advance(30);
    const goOn = first.pause();
    await clock.advance(40);
    begin('last');
    goOn();
    await clock.advance(1_000);
    expect(over).toEqual(['third 120', 'first 160', 'last 190']);
    expect(clock.pending).toBe(0);
  });

  it('is set again at once for a call whose time is up before that of all others', async () => {
    const clock = createFakeClock();
    const limits = new TimeLimits(clock, 100);
    const over: string[] = [];
    const goOn = limits.begin({ onTimeOver: () => over.push(`paused ${clock.now()}`) }).pause();
    await clock.advance(150);
    limits.begin({ onTimeOver: () => over.push(`other ${clock.now()}`) });
    await clock.advance(90);
    const soon = limits.begin({ onTimeOver: () => over.push(`soon ${clock.now()}`) }).pause();
    goOn();
    await clock.advance(60);
    soon();
    await clock.advance(1_000);
    expect(over).toEqual(['other 250', 'paused 340', 'soon 400']);
  });

  it('is that of each call alone, in whatever order the others end', async () => {
    const clock = createFakeClock();
    const limits = new TimeLimits(clock, 100);
    const over: string[] = [];
    const begin = (name: string) => limits.begin({ onTimeOver: () => over.push(name) });
    const [a, b, , d, , f] = ['a', 'b', 'c', 'd', 'e', 'f'].map(begin);
    for (const each of [a, f, b, a]) each?.stop();
    d?.pause();
    await clock.advance(1_000);
    expect(over.sort()).toEqual(['c', 'e']);
  });

  it('is over with the call: what is asked then is not put to anybody', async () => {
    const limits = new TimeLimits(createFakeClock(), 100);
    const ask = vi.fn(async () => ({ result: {} }));
    const open = new InFlightCall(buildCall({ ask }), limits.begin({ onTimeOver() {} }));
    open.end();
    const question = { method: 'elicitation/create' as const, params: {} };
    expect(await open.ask(question, new CancelToken())).toBe(callEnded);
    expect(ask).not.toHaveBeenCalled();
  });

  it('is not told to one that another has ended when its time was over', async () => {
    const clock = createFakeClock();
    const limits = new TimeLimits(clock, 100);
    const over: string[] = [];
    const all: TimeLimit[] = [];
    const begin = (name: string) =>
      limits.begin({
        onTimeOver() {
          over.push(name);
          for (const each of all) each.stop();
        },
      });
    all.push(begin('a'), begin('b'));
    await clock.advance(1_000);
    expect(over).toHaveLength(1);
  });

  it('leaves no timer behind when the connection has ended', async () => {
    const clock = createFakeClock();
    const limits = new TimeLimits(clock, 100);
    limits.begin({ onTimeOver() {} }).stop();
    limits.close();
    expect(clock.pending).toBe(0);
  });

  it('sets no timer for a call that begins when the connection has ended', async () => {
    const clock = createFakeClock();
    const limits = new TimeLimits(clock, 100);
    limits.close();
    limits.begin({ onTimeOver() {} }).stop();
    expect(clock.pending).toBe(0);
  });

  it('does not begin again after its end', async () => {
    const { clock, over, limit } = start();
    const goOn = limit.pause();
    limit.stop();
    goOn();
    await clock.advance(1_000);
    expect(over).toEqual([]);
  });
});

describe('addresses that clients were sent to', () => {
  it('are known by their id, once, for an hour', async () => {
    const clock = createFakeClock();
    const known = createElicitations(clock);
    const ann = createSession('ann');
    known.remember('a', ann);
    known.remember('late', ann);
    expect(known.take('a')).toBe(ann.session);
    expect(known.take('a')).toBeUndefined();
    await clock.advance(60 * 60 * 1_000);
    expect(known.take('late')).toBeUndefined();
  });

  it.each<[string, Json | undefined, Client | undefined]>([
    ['an id that is no text', 7, createSession('x')],
    ['an id that is too long', 'x'.repeat(2_000), createSession('x')],
    ['a client without a session', 'a', { name: 'x', principal: '' }],
    ['no client', 'a', undefined],
  ])('are not kept for %s', (_case, id, client) => {
    const known = createElicitations(createFakeClock());
    known.remember(id, client);
    expect(known.take(id)).toBeUndefined();
  });

  it('are kept for the last 256 only', () => {
    const known = createElicitations(createFakeClock());
    const ann = createSession('ann');
    for (let n = 0; n < 257; n++) known.remember(`${n}`, ann);
    expect(known.take('0')).toBeUndefined();
    expect(known.take('1')).toBe(ann.session);
  });

  it.each<[string, number, Json, Json[]]>([
    ['a list', -32042, { elicitations: [{ elicitationId: 'a' }, 7, {}, { elicitationId: 'b' }] }, ['a', 'b']],
    ['another error', -32000, { elicitations: [{ elicitationId: 'a' }] }, []],
    ['no list', -32042, { elicitations: { elicitationId: 'a' } }, []],
    ['no data', -32042, null, []],
  ])('are read from a refusal with %s', (_case, code, data, ids) => {
    expect(listElicitations({ code, message: '', data })).toEqual(ids);
  });
});
