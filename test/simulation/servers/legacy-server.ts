/** A server of the handshake era: it asks by requests of its own, which do not say which call made it ask. */

import type { QuestionMethod } from '../../../src/base/call/question.ts';
import { findMember, findObject, findString, type Json, type JsonObject } from '../../../src/base/json/json.ts';
import type { Judge } from '../checks/judge.ts';
import { toMeta } from '../checks/marks.ts';
import type { QuestionRecord } from '../checks/records.ts';
import type { Work } from '../checks/work-record.ts';
import type { Mouth, Server } from '../clients/mouth.ts';
import type { Random } from '../random.ts';
import { goOn, isReady, listResources, listTools, sayLog, toQuestionParams, toWork, urisOf } from '../work.ts';

interface Asked {
  readonly question: QuestionRecord;
  readonly work: Work | undefined;
}

export function createLegacyServer(mouth: Mouth, { judge, random }: { judge: Judge; random: Random }): Server {
  const works: Work[] = [];
  const asked = new Map<string, Asked>();
  const watched = new Set<string>();
  let questions = 0;

  const ask = (method: QuestionMethod, work?: Work) => {
    const tag = `${mouth.id}/q${++questions}`;
    const question = judge.ask({ tag, nonce: work?.nonce, method, process: mouth });
    asked.set(tag, { question, work });
    const params = toQuestionParams(method, toMeta({ tag, nonce: work?.nonce }));
    const isLate = work === undefined || work.over;
    mouth.say({ id: tag, method, params }, () => {
      question.delivered = true;
      question.underWay = !isLate && !mouth.isGivenUp(work?.id);
    });
    return tag;
  };
  const withdraw = (tag: string) => {
    const found = asked.get(tag);
    if (found === undefined || found.question.answers > 0) return;
    found.question.withdrawn = true;
    found.work?.waiting.delete(tag);
    mouth.say({ method: 'notifications/cancelled', params: { requestId: tag } });
  };

  const answer = (work: Work, outcome: JsonObject) => {
    work.over = true;
    mouth.say({ id: work.id, ...outcome }, () => {
      if (!mouth.isGivenUp(work.id)) judge.served(work);
    });
    if (work.plan.late === 'ask') ask('elicitation/create', work);
    if (work.plan.late === 'log') sayLog(work, mouth, judge);
  };
  const announce = () => {
    const uri = random.pick(urisOf(mouth.spec.name));
    if (watched.has(uri))
      mouth.say({ method: 'notifications/resources/updated', params: { uri } }, () => judge.announced(mouth, uri));
  };

  const replies = new Map<string, (params: JsonObject) => JsonObject>([
    [
      'initialize',
      () => ({
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
          serverInfo: { name: mouth.spec.name, version: '1' },
        },
      }),
    ],
    ['ping', () => ({ result: {} })],
    ['tools/list', () => ({ result: { tools: listTools(mouth.id) } })],
    ['resources/list', () => ({ result: { resources: listResources(mouth.spec.name) } })],
    ['resources/templates/list', () => ({ result: { resourceTemplates: [] } })],
    ['logging/setLevel', () => ({ result: {} })],
    ['resources/subscribe', (params) => watch(params, true)],
    ['resources/unsubscribe', (params) => watch(params, false)],
  ]);
  const watch = (params: JsonObject, on: boolean): JsonObject => {
    const uri = findString(params, 'uri') ?? '';
    if (!urisOf(mouth.spec.name).includes(uri)) return { error: { code: -32002, message: 'not found' } };
    if (on === watched.has(uri)) judge.fail(`${mouth.id} was asked twice to ${on ? '' : 'un'}subscribe ${uri}`);
    if (on) watched.add(uri);
    else watched.delete(uri);
    return { result: {} };
  };

  const takeRequest = (id: Json, method: string, params: JsonObject) => {
    if (method === 'tools/call') {
      judge.arrived(mouth, params);
      works.push(toWork(id, params));
      return;
    }
    mouth.say({ id, ...(replies.get(method)?.(params) ?? { error: { code: -32601, message: 'unknown' } }) });
  };
  const takeCancel = (id: Json | undefined) => {
    const work = works.find((each) => each.id === id && !each.over);
    if (work === undefined) return;
    if (work.plan.stubborn && isReady(work))
      answer(work, { result: { content: [], structuredContent: { late: true } } });
    work.over = true;
  };

  return {
    take(message) {
      const { id, method } = message;
      const params = findObject(message, 'params') ?? {};
      if (typeof method === 'string' && id !== undefined) takeRequest(id, method, params);
      else if (method === 'notifications/cancelled') takeCancel(findMember(params, 'requestId'));
      else if (method === undefined) {
        const found = asked.get(String(id));
        if (found === undefined)
          return judge.fail(`${mouth.id} got an answer to '${String(id)}', which it never asked`);
        judge.replied(found.question, message);
        found.work?.waiting.delete(String(id));
      }
    },
    ready: () => works.filter(isReady),
    goOn(work) {
      goOn(work, mouth, {
        log: () => sayLog(work, mouth, judge),
        ask({ methods, withdraw: regrets }) {
          const tags = methods.map((method) => ask(method, work));
          for (const tag of tags) work.waiting.add(tag);
          const [first] = tags;
          if (regrets && first !== undefined) withdraw(first);
        },
        announce,
        end: (outcome) => answer(work, outcome),
      });
    },
    speakUp() {
      const open = [...asked].filter(([, { question }]) => question.delivered && question.answers === 0);
      random.weigh<() => void>([
        [2, announce],
        [1, () => ask(random.pick(['roots/list', 'elicitation/create'] as const))],
        [1, () => mouth.say({ method: 'notifications/tools/list_changed' })],
        [1, () => open.length > 0 && withdraw(random.pick(open)[0])],
      ])();
    },
    leftovers: () => [
      ...works.filter(({ over }) => !over).map(({ nonce }) => `call '${nonce}' at ${mouth.id}`),
      ...[...watched].map((uri) => `the subscription of ${uri} at ${mouth.id}`),
      ...[...asked.values()]
        .filter(({ question: { delivered, withdrawn, answers } }) => delivered && !withdrawn && answers === 0)
        .map(({ question }) => `question '${question.tag}'`),
    ],
  };
}
