/** A client of the stateless era: it plays the rounds of its calls itself, not always as it should. */

import { isQuestionMethod } from '../../../src/base/call/question.ts';
import {
  findMember,
  findObject,
  findString,
  isObject,
  type Json,
  type JsonObject,
} from '../../../src/base/json/json.ts';
import { toMeta } from '../checks/marks.ts';
import type { Attempt, Intent } from '../checks/records.ts';
import { drawTampered } from '../checks/tamper.ts';
import { toPublicUri, urisOf } from '../work.ts';
import {
  type ClientContext,
  createDebts,
  type DrawnCall,
  drawAnswer,
  drawCall,
  drawCapabilities,
  openWire,
  type SimClient,
  withMarks,
} from './sim-client.ts';

const prefix = 'io.modelcontextprotocol/';

/** A call over its rounds. */
export interface Thread extends DrawnCall {
  readonly principal: string;
  /** Who made it. */
  readonly client: string;
  /** What it was given to come back with, and has not come back with yet. */
  asked: { readonly state: string | undefined; readonly requests: JsonObject; readonly since: number } | undefined;
  readonly states: string[];
}

export interface ModernClientOptions extends ClientContext {
  readonly name: string;
  readonly owner: string;
  readonly principal: string;
  /** Of all clients, so that one may try what was given to another. */
  readonly threads: Thread[];
}

type Sent = Attempt & { begunAt?: number; thread?: Thread; uris?: readonly string[]; acknowledged?: boolean };

export function createModernClient(options: ModernClientOptions): SimClient {
  const { name, owner, principal, threads, judge, random, clock, specs } = options;
  const capabilities = drawCapabilities(random);
  const debts = createDebts(name);
  const requests = new Map<number, Sent>();
  let lastId = 0;

  const meta = (): JsonObject => ({
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientCapabilities`]: capabilities,
    ...(random.chance(0.5) ? { [`${prefix}logLevel`]: 'debug' } : {}),
  });
  const request = (method: string, params: JsonObject, attempt: Sent): void => {
    requests.set(++lastId, Object.assign(attempt, { begunAt: clock.now() }));
    wire.say({ id: lastId, method, params });
  };

  const takeAnswer = (attempt: Sent, message: JsonObject) => {
    judge.answered(attempt, message);
    const { thread } = attempt;
    const result = findObject(message, 'result') ?? {};
    if (thread === undefined || result.resultType !== 'input_required') return;
    const inputRequests = findObject(result, 'inputRequests') ?? {};
    for (const question of Object.values(inputRequests))
      if (isObject(question)) judge.asked({ owner, capabilities, during: thread.nonce }, question);
    const state = findString(result, 'requestState');
    if (state !== undefined) thread.states.push(state);
    thread.asked = { state, requests: inputRequests, since: attempt.begunAt ?? 0 };
  };
  const takeNews = (method: string, params: JsonObject) => {
    const subscription = requests.get(Number(findMember(findObject(params, '_meta') ?? {}, `${prefix}subscriptionId`)));
    if (method === 'notifications/message') judge.logged(owner, params);
    else if (method === 'notifications/progress') judge.progressed(owner, requests.values(), params);
    else if (method === 'notifications/subscriptions/acknowledged') {
      const honoured = findMember(findObject(params, 'notifications') ?? {}, 'resourceSubscriptions') ?? [];
      if (subscription === undefined || subscription.acknowledged)
        return judge.fail(`${name} got a stray acknowledgement`);
      subscription.acknowledged = true;
      subscription.uris = (honoured as Json[]).map(String);
    } else if (method === 'notifications/resources/updated') {
      const uri = findString(params, 'uri') ?? '';
      judge.tally.updates++;
      debts.paid(uri);
      if (subscription?.acknowledged !== true || subscription.uris?.includes(uri) !== true)
        judge.fail(`${name} heard of ${uri}, which it does not watch`);
    }
  };
  const wire = openWire(name, options, (message) => {
    const { id, method } = message;
    const attempt = requests.get(Number(id));
    if (typeof method === 'string' && id !== undefined)
      judge.fail(`${name} was sent a request, which its era does not know`);
    else if (typeof method === 'string') takeNews(method, findObject(message, 'params') ?? {});
    else if (attempt === undefined) judge.fail(`${name} got an answer to ${String(id)}, which it never asked`);
    else takeAnswer(attempt, message);
  });

  const drawToken = () => (random.chance(0.7) ? { token: 1_000 + lastId } : {});
  const call = () => {
    const drawn = drawCall(options, owner);
    const thread: Thread = { ...drawn, principal, client: name, asked: undefined, states: [] };
    threads.push(thread);
    const attempt = judge.begin({ owner, method: 'tools/call', nonce: drawn.nonce, ...drawToken() });
    const params = withMarks({ ...drawn.params, _meta: meta() }, { nonce: drawn.nonce, attempt });
    request('tools/call', params, Object.assign(attempt, { thread }));
  };
  const drawAnswers = (inputRequests: JsonObject, attempt: Attempt): JsonObject => {
    const answers: JsonObject = {};
    for (const [key, question] of Object.entries(inputRequests)) {
      const method = isObject(question) && findMember(question, 'method');
      const tag = isObject(question)
        ? findObject(findObject(question, 'params') ?? {}, '_meta')?.['sim/tag']
        : undefined;
      if (!isQuestionMethod(method) || !random.chance(0.92)) continue;
      answers[key] = drawAnswer(random, method, toMeta({ tag: String(tag), attempt: attempt.number }));
    }
    return answers;
  };
  const comeBack = (thread: Thread, intent: Intent, state: string | undefined) => {
    const { nonce, asked, spec, params } = thread;
    const attempt = judge.begin({
      owner,
      method: 'tools/call',
      nonce,
      intent,
      ours: spec.era === 'legacy',
      ...(asked === undefined ? {} : { since: asked.since }),
      ...drawToken(),
    });
    const inputResponses = drawAnswers(asked?.requests ?? { q1: { method: 'roots/list' } }, attempt);
    const answered = Object.keys(asked?.requests ?? { q1: {} }).length === 0 ? {} : { inputResponses };
    const repeated = { ...params, ...answered, ...(state === undefined ? {} : { requestState: state }), _meta: meta() };
    const sent =
      intent === 'changed' ? { ...repeated, arguments: { ...findObject(params, 'arguments'), more: 1 } } : repeated;
    request(
      'tools/call',
      withMarks(sent, { nonce, attempt }),
      Object.assign(attempt, intent === 'right' ? { thread } : {}),
    );
  };
  const isMine = ({ client }: Thread) => client === name;
  const isWaiting = (thread: Thread) => thread.asked !== undefined && isMine(thread);
  const goOn = () => {
    const open = threads.filter(isWaiting);
    if (open.length === 0) return;
    const thread = random.pick(open);
    const { state } = thread.asked!;
    comeBack(thread, 'right', state);
    thread.asked = undefined;
  };
  /** With a state that must lead nowhere. */
  const cheat = () => {
    const given = threads.filter(
      (thread) => thread.states.length > 0 && (thread.spec.era === 'legacy' || isMine(thread)),
    );
    if (given.length === 0) return;
    const thread = random.pick(given);
    const current = thread.asked?.state;
    const last = thread.states.at(-1)!;
    if (thread.principal !== principal) return comeBack(thread, 'foreign', last);
    const used = thread.states.filter((state) => state !== current);
    // Whether another client has come with it already cannot be known.
    if (isMine(thread) && thread.spec.era === 'legacy' && used.length > 0 && random.chance(0.4))
      return comeBack(thread, 'used', random.pick(used));
    if (thread.spec.era === 'legacy' && random.chance(0.3)) return comeBack(thread, 'changed', last);
    const allGiven = threads.flatMap(({ states }) => states);
    comeBack(thread, 'tampered', drawTampered(random, last, allGiven));
  };

  const isOpen = ({ answers, cancelled }: Attempt) => answers === 0 && !cancelled;
  const cancel = (method: string) => {
    const open = [...requests].filter(([, attempt]) => attempt.method === method && isOpen(attempt));
    if (open.length === 0) return;
    const [requestId, attempt] = random.pick(open);
    attempt.cancelled = true;
    for (const uri of attempt.uris ?? []) debts.forgive(uri);
    judge.tally.cancels++;
    wire.say({ method: 'notifications/cancelled', params: { requestId } });
  };
  const plain = (method: string, params: JsonObject = {}) =>
    request(method, { ...params, _meta: meta() }, judge.begin({ owner, method }));
  const listen = () => {
    const uris = specs
      .flatMap((spec) => urisOf(spec.name).map((uri) => toPublicUri(spec.name, uri)))
      .filter(() => random.chance(0.4));
    plain('subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: uris } });
  };
  const listens = (uri: string) => (attempt: Sent) =>
    attempt.acknowledged && isOpen(attempt) && attempt.uris?.includes(uri);

  return {
    name,
    pipes: [wire.up, wire.down],
    act() {
      const waiting = threads.some(isWaiting) ? 9 : 0;
      random.weigh<() => void>([
        // The more is open, the less is begun: what was begun should get on.
        [8 / (1 + [...requests.values()].filter(isOpen).length), call],
        [waiting, goOn],
        [threads.length > 0 ? 1.5 : 0, cheat],
        [1, () => cancel('tools/call')],
        [0.7, listen],
        [0.5, () => cancel('subscriptions/listen')],
        [0.4, () => plain('tools/list')],
      ])();
    },
    isWatching: (uri) => [...requests.values()].some(listens(uri)),
    // It hears of it on every stream that it opened for it.
    owe: (uri) => [...requests.values()].filter(listens(uri)).forEach(() => void debts.owe(uri)),
    leave() {
      debts.forgive();
      for (const attempt of requests.values()) attempt.cancelled = true;
      wire.close();
    },
    leftovers: () => [
      ...[...requests.values()]
        .filter((attempt) => isOpen(attempt) && attempt.method !== 'subscriptions/listen')
        .map(({ number, method }) => `request ${number} ('${method}') of ${name}`),
      ...debts.open(),
    ],
  };
}
