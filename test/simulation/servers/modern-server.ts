/** A server of the stateless era: it asks by its answers, and knows a call again by the state that comes back with it. */

import type { QuestionMethod } from '../../../src/base/call/question.ts';
import {
  findMember,
  findObject,
  findString,
  isObject,
  type Json,
  type JsonObject,
} from '../../../src/base/json/json.ts';
import type { Judge } from '../checks/judge.ts';
import { toMeta } from '../checks/marks.ts';
import type { Work } from '../checks/work-record.ts';
import type { Mouth, Server } from '../clients/mouth.ts';
import type { Random } from '../random.ts';
import {
  goOn,
  isReady,
  listResources,
  listTools,
  sayLog,
  toFailure,
  toQuestionParams,
  toWork,
  urisOf,
} from '../work.ts';

const prefix = 'io.modelcontextprotocol/';

/** What a server gave to be brought back, by call and state; whoever gets it can go on. */
export type States = Map<
  string,
  { readonly step: number; readonly asked: ReadonlyMap<string, string>; readonly origin: string }
>;

interface Context {
  readonly judge: Judge;
  readonly random: Random;
  readonly states: States;
}

export function createModernServer(mouth: Mouth, { judge, random, states }: Context): Server {
  const works: Work[] = [];
  const listening = new Map<Json, string[]>();
  let questions = 0;

  const reply = (id: Json, outcome: JsonObject, onDelivered?: () => void) => mouth.say({ id, ...outcome }, onDelivered);
  const complete = (id: Json, members: JsonObject) =>
    reply(id, { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...members } });

  const drawState = (nonce: string, round: number): string => {
    const odd = random.pick([
      '',
      'plain',
      'wb1.',
      'wb0.',
      'wb0.wb1.x',
      'wb1.eyJ9.AAAA',
      '\u0000"\\\n\u2028𝒳',
      '{"a":1}',
      'x'.repeat(300),
    ]);
    // States of one call must differ; between calls they need not.
    return odd === '' && !states.has(toKey(nonce, '')) ? '' : `${odd}${round}.${random.int(1_000)}.${states.size}`;
  };

  const ask = (work: Work, methods: readonly QuestionMethod[]) => {
    const state = drawState(work.nonce, work.step);
    const asked = new Map<string, string>();
    const requests = methods.map((method, index): [string, Json] => {
      const tag = `${mouth.id}/m${++questions}`;
      judge.ask({ tag, nonce: work.nonce, method, process: mouth });
      asked.set(`k${index}`, tag);
      return [`k${index}`, { method, params: toQuestionParams(method, toMeta({ tag, nonce: work.nonce })) }];
    });
    states.set(toKey(work.nonce, state), { step: work.step, asked, origin: originOf(work) });
    work.over = true;
    const inputRequests = requests.length === 0 ? {} : { inputRequests: Object.fromEntries(requests) as JsonObject };
    reply(work.id, { result: { resultType: 'input_required', requestState: state, ...inputRequests } });
  };

  /** The next round of a call. Who tampered with a state gets an error; who did not must find it as it was. */
  const resume = (work: Work, state: string) => {
    const kept = states.get(toKey(work.nonce, state));
    // What became another good state by accident is refused as well.
    const isTampered = judge.attempts[work.attempt - 1]?.intent === 'tampered';
    if (kept === undefined || isTampered) {
      if (!isTampered)
        judge.fail(`the state of call '${work.nonce}' came back to ${mouth.id} changed: ${JSON.stringify(state)}`);
      work.over = true;
      reply(work.id, toFailure(work), () => served(work));
      return;
    }
    if (kept.origin === originOf(work)) judge.fail(`'${work.nonce}' came to ${mouth.id} under its old id`);
    work.step = kept.step;
    const responses = findObject(work.params, 'inputResponses') ?? {};
    for (const [key, response] of Object.entries(responses)) {
      const tag = kept.asked.get(key);
      const question = judge.questions.get(tag ?? '');
      if (question === undefined || !isObject(response)) judge.fail(`${mouth.id} got an answer to '${key}' of nobody`);
      else judge.replied({ ...question, answers: 0 }, { result: response });
    }
    // What was left out is asked again.
    const missing = [...kept.asked].filter(([key]) => !Object.hasOwn(responses, key));
    if (missing.length > 0)
      ask(
        work,
        missing.map(([, tag]) => judge.questions.get(tag)!.method),
      );
  };
  const originOf = (work: Work) => `${mouth.id} ${JSON.stringify(work.id)}`;
  const served = (work: Work) => {
    if (!mouth.isGivenUp(work.id)) judge.served(work);
  };

  const takeCall = (id: Json, params: JsonObject) => {
    judge.arrived(mouth, params);
    const work = toWork(id, params);
    works.push(work);
    const state = findString(params, 'requestState');
    if (state !== undefined) resume(work, state);
    else if (Object.hasOwn(params, 'inputResponses'))
      judge.fail(`'${work.nonce}' came to ${mouth.id} without its state`);
  };

  const takeListen = (id: Json, params: JsonObject) => {
    const filter = findObject(params, 'notifications') ?? {};
    const wanted = (findMember(filter, 'resourceSubscriptions') ?? []) as Json[];
    const uris = urisOf(mouth.spec.name).filter((uri) => wanted.includes(uri));
    listening.set(id, uris);
    const notifications = { ...filter, resourceSubscriptions: uris };
    const _meta = { [`${prefix}subscriptionId`]: id };
    mouth.say({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } });
  };

  const takeRequest = (id: Json, method: string, params: JsonObject) => {
    switch (method) {
      case 'server/discover':
        return complete(id, {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        });
      case 'tools/list':
        return complete(id, { tools: listTools(mouth.id) });
      case 'resources/list':
        return complete(id, { resources: listResources(mouth.spec.name) });
      case 'resources/templates/list':
        return complete(id, { resourceTemplates: [] });
      case 'tools/call':
        return takeCall(id, params);
      case 'subscriptions/listen':
        return takeListen(id, params);
      default:
        return reply(id, { error: { code: -32601, message: 'unknown' } });
    }
  };
  const takeCancel = (id: Json) => {
    listening.delete(id);
    const work = works.find((each) => each.id === id && !each.over);
    if (work?.plan.stubborn === true) reply(id, { result: { content: [], structuredContent: { late: true } } });
    if (work !== undefined) work.over = true;
  };
  const announce = () => {
    const uri = random.pick(urisOf(mouth.spec.name));
    for (const [id, uris] of listening) {
      const params = { uri, _meta: { [`${prefix}subscriptionId`]: id } };
      if (uris.includes(uri))
        mouth.say({ method: 'notifications/resources/updated', params }, () => judge.announced(mouth, uri));
    }
  };
  /** Servers of this era log only when the request asks for it. */
  const wantsLog = ({ params }: Work) => Object.hasOwn(findObject(params, '_meta') ?? {}, `${prefix}logLevel`);

  return {
    take(message) {
      const { id, method } = message;
      const params = findObject(message, 'params') ?? {};
      if (typeof method === 'string' && id !== undefined) takeRequest(id, method, params);
      else if (method === 'notifications/cancelled') takeCancel(findMember(params, 'requestId') ?? null);
      else if (method === undefined) judge.fail(`${mouth.id} got an answer although it never asks by requests`);
    },
    ready: () => works.filter(isReady),
    goOn(work) {
      goOn(work, mouth, {
        log: () => wantsLog(work) && sayLog(work, mouth, judge),
        ask: ({ methods }) =>
          ask(
            work,
            methods.filter((method) => mayAsk(work, method)),
          ),
        announce,
        end(outcome) {
          work.over = true;
          const result = findObject(outcome, 'result');
          reply(work.id, result === undefined ? outcome : { result: { resultType: 'complete', ...result } }, () =>
            served(work),
          );
        },
      });
    },
    speakUp: announce,
    leftovers: () => [
      ...works.filter(({ over }) => !over).map(({ nonce }) => `call '${nonce}' at ${mouth.id}`),
      ...[...listening.values()].flat().map((uri) => `the subscription of ${uri} at ${mouth.id}`),
    ],
  };
}

/** A server of this era asks only what the request says that its client takes; now and then one asks all the same. */
function mayAsk({ params, nonce }: Work, method: QuestionMethod): boolean {
  const capabilities = findObject(findObject(params, '_meta') ?? {}, `${prefix}clientCapabilities`) ?? {};
  const needed = { 'elicitation/create': 'elicitation', 'sampling/createMessage': 'sampling', 'roots/list': 'roots' };
  return Object.hasOwn(capabilities, needed[method]) || nonce.endsWith('7');
}

function toKey(nonce: string, state: string): string {
  return `${nonce} ${state}`;
}
