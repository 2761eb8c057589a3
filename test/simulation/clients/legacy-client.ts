/** A client of the handshake era that does this and that: it stays connected, is asked by requests, and may leave and come back. */

import type { QuestionMethod } from '../../../src/base/call/question.ts';
import { findMember, findObject, findString, type JsonObject } from '../../../src/base/json/json.ts';
import { toMeta } from '../checks/marks.ts';
import type { Attempt } from '../checks/records.ts';
import { toPublicUri, urisOf } from '../work.ts';
import {
  type ClientContext,
  createDebts,
  drawAnswer,
  drawCall,
  drawCapabilities,
  openWire,
  type SimClient,
  type Wire,
  withMarks,
} from './sim-client.ts';

export interface LegacyClientOptions extends ClientContext {
  readonly name: string;
  /** Whoever connects again is the same to the Workbench. */
  readonly sole: boolean;
}

interface PutQuestion {
  readonly id: string;
  readonly tag: string;
  readonly method: QuestionMethod;
  readonly ignored: boolean;
}

export function createLegacyClient(options: LegacyClientOptions): SimClient {
  const { name, sole, judge, random, specs } = options;
  const capabilities = drawCapabilities(random);
  const version = random.pick(['2025-11-25', '2025-11-25', '2025-06-18']);
  const debts = createDebts(name);
  /** By the request that was made last for each. */
  const watched = new Map<string, { readonly by: Attempt; state: 'asked' | 'agreed' | 'leaving' }>();
  let wire: Wire | undefined;
  let owner = '';
  let session = 0;
  let lastId = 0;
  let lastToken = 0;
  let requests = new Map<number, Attempt & { uri?: string }>();
  let put: PutQuestion[] = [];
  /** Questions that are over: answering them again must do nothing. */
  let old: PutQuestion[] = [];

  const request = (method: string, params: JsonObject, attempt: Attempt): void => {
    requests.set(++lastId, attempt);
    wire?.say({ id: lastId, method, params });
  };
  const plain = (method: string, params: JsonObject = {}) => request(method, params, judge.begin({ owner, method }));
  const isOpen = ({ answers, cancelled }: Attempt) => answers === 0 && !cancelled;

  /** Whoever shakes hands again has forgotten what was before; it may still hear of it until that is answered. */
  const forget = () => {
    put = [];
    debts.forgive();
  };
  const isShaking = () => [...requests.values()].some((each) => each.method === 'initialize' && isOpen(each));
  const initialize = () => {
    if (!sole || session === 0) owner = sole ? 'sole' : `${name}.${++session}`;
    forget();
    watched.clear();
    for (const attempt of requests.values()) delete attempt.uri;
    plain('initialize', { protocolVersion: version, capabilities, clientInfo: { name, version: '1' } });
    wire?.say({ method: 'notifications/initialized' });
    if (random.chance(0.5)) plain('logging/setLevel', { level: 'debug' });
  };
  const connect = () => {
    wire = openWire(name, options, take);
    initialize();
  };
  const leave = () => {
    wire?.close();
    wire = undefined;
    for (const attempt of requests.values()) attempt.cancelled = true;
    requests = new Map();
    old = [];
    forget();
    watched.clear();
  };

  const takeQuestion = (id: string, message: JsonObject) => {
    if (put.some((each) => each.id === id)) judge.fail(`${name} was asked twice under ${id}`);
    const tag = judge.asked({ owner, capabilities }, message);
    if (tag !== undefined)
      put.push({ id, tag, method: message.method as QuestionMethod, ignored: random.chance(0.15) });
  };
  const takeAnswer = (attempt: Attempt & { uri?: string }, message: JsonObject) => {
    judge.answered(attempt, message);
    if (attempt.method === 'initialize') forget();
    const { uri = '' } = attempt;
    const watch = watched.get(uri);
    if (watch?.by !== attempt) return;
    if (watch.state === 'asked' && Object.hasOwn(message, 'result')) watch.state = 'agreed';
    else watched.delete(uri);
  };
  const takeNews = (method: string, params: JsonObject) => {
    if (method === 'notifications/message') judge.logged(owner, params);
    else if (method === 'notifications/progress') judge.progressed(owner, requests.values(), params);
    else if (method === 'notifications/cancelled') {
      const id = findMember(params, 'requestId');
      old.push(...put.filter((each) => each.id === id));
      put = put.filter((each) => each.id !== id);
    } else if (method === 'notifications/resources/updated') {
      const uri = findString(params, 'uri') ?? '';
      judge.tally.updates++;
      debts.paid(uri);
      if (!watched.has(uri) && !isShaking()) judge.fail(`${name} heard of ${uri}, which it does not watch`);
    }
  };
  const take = (message: JsonObject) => {
    const { id, method } = message;
    if (typeof method !== 'string') {
      const attempt = requests.get(Number(id));
      if (attempt === undefined) judge.fail(`${name} got an answer to ${String(id)}, which it never asked`);
      else takeAnswer(attempt, message);
    } else if (id === undefined) takeNews(method, findObject(message, 'params') ?? {});
    else takeQuestion(String(id), message);
  };

  const call = () => {
    const { nonce, params } = drawCall(options, owner);
    const token = random.chance(0.7) ? { token: ++lastToken } : {};
    const attempt = judge.begin({ owner, method: 'tools/call', nonce, ...token });
    request('tools/call', withMarks(params, { nonce, attempt }), attempt);
  };

  const answer = ({ id, tag, method }: PutQuestion) => {
    const refuses = random.chance(0.1);
    const outcome = refuses
      ? { error: { code: -1, message: 'no' } }
      : { result: drawAnswer(random, method, toMeta({ tag })) };
    wire?.say({ id, ...outcome });
    if (random.chance(0.1)) wire?.say({ id, ...outcome });
  };
  const answerOne = () => {
    const [next] = put.filter(({ ignored }) => !ignored);
    if (next === undefined) return;
    put = put.filter((each) => each !== next);
    old.push(next);
    answer(next);
  };
  const cancelOne = () => {
    const open = [...requests].filter(([, attempt]) => attempt.method === 'tools/call' && isOpen(attempt));
    if (open.length === 0) return;
    const [requestId, attempt] = random.pick(open);
    attempt.cancelled = true;
    judge.tally.cancels++;
    wire?.say({ method: 'notifications/cancelled', params: { requestId } });
  };
  const watch = (on: boolean) => {
    const server = random.pick(specs).name;
    const uri = toPublicUri(server, random.pick(urisOf(server)));
    if (on === watched.has(uri)) return;
    if (!on) debts.forgive(uri);
    const method = on ? 'resources/subscribe' : 'resources/unsubscribe';
    const by = Object.assign(judge.begin({ owner, method }), { uri });
    watched.set(uri, { by, state: on ? 'asked' : 'leaving' });
    request(method, { uri }, by);
  };

  return {
    name,
    get pipes() {
      return wire === undefined ? [] : [wire.up, wire.down];
    },
    act() {
      if (wire === undefined) return connect();
      const answering = put.some(({ ignored }) => !ignored) ? 8 : 0;
      random.weigh<() => unknown>([
        // The more is open, the less is begun: what was begun should get on.
        [10 / (1 + [...requests.values()].filter(isOpen).length), call],
        [answering, answerOne],
        [old.length > 0 ? 0.5 : 0, () => answer(random.pick(old))],
        [1.5, cancelOne],
        [1, () => watch(true)],
        [0.7, () => watch(false)],
        [0.5, () => plain('tools/list')],
        [0.3, () => plain('ping')],
        [0.3, () => wire?.say({ method: 'notifications/roots/list_changed' })],
        [sole ? 0 : 0.3, leave],
        [sole ? 0.1 : 0, initialize],
      ])();
    },
    isWatching: (uri) => watched.get(uri)?.state === 'agreed',
    owe: debts.owe,
    leave,
    leftovers: () => [
      ...[...requests.values()]
        .filter(isOpen)
        .map(({ number, method }) => `request ${number} ('${method}') of ${name}`),
      ...put.map(({ tag }) => `question '${tag}' to ${name}`),
      ...debts.open(),
    ],
  };
}
