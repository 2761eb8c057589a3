/** A call at a server: how far it has come, and what both kinds of servers do with it alike. */
import { findMember, findObject, type Json, type JsonObject } from '../../src/base/json/json.ts';
import type { Judge } from './checks/judge.ts';
import { readMarks } from './checks/marks.ts';
import type { Work } from './checks/work-record.ts';
import type { Mouth } from './clients/mouth.ts';
import { readPlan, type Step } from './plan.ts';

export function toWork(id: Json, params: JsonObject): Work {
  const { nonce = '', attempt = 0 } = readMarks(params);
  return {
    id,
    nonce,
    attempt,
    plan: readPlan(findMember(findObject(params, 'arguments') ?? {}, 'plan')),
    token: findMember(findObject(params, '_meta') ?? {}, 'progressToken'),
    params,
    step: 0,
    waiting: new Set(),
    over: false,
  };
}

export function isReady({ over, waiting, step, plan }: Work): boolean {
  return !over && waiting.size === 0 && (step < plan.steps.length || plan.end !== 'silent');
}

export interface WorkActs {
  log(): void;
  ask(step: Extract<Step, { do: 'ask' }>): void;
  announce(): void;
  end(outcome: JsonObject): void;
}

/** One step of the plan, or its end. */
export function goOn(work: Work, mouth: Mouth, acts: WorkActs): void {
  const step = work.plan.steps[work.step++];
  switch (step?.do) {
    case undefined:
      acts.end(work.plan.end === 'error' ? toFailure(work) : toResult(work));
      return;
    case 'progress':
      if (work.token !== undefined)
        mouth.say({
          method: 'notifications/progress',
          params: { progressToken: work.token, progress: step.value, message: work.nonce },
        });
      return;
    case 'log':
      acts.log();
      return;
    case 'ask':
      acts.ask(step);
      return;
    case 'announce':
      acts.announce();
      return;
    case 'crash':
      mouth.crash();
      return;
  }
}

function toResult({ nonce }: Work): JsonObject {
  return { result: { content: [{ type: 'text', text: nonce }], structuredContent: { nonce } } };
}

export function toFailure({ nonce }: Work): JsonObject {
  return { error: { code: 1234, message: `failed ${nonce}` } };
}

export function sayLog(work: Work, mouth: Mouth, judge: Judge): void {
  const { nonce, over } = work;
  const line = judge.log();
  mouth.say({ method: 'notifications/message', params: { level: 'warning', data: { nonce, line } } }, () => {
    if (!over && !mouth.isGivenUp(work.id)) judge.logsUnderWay.add(line);
  });
}

/** The last tells which process has listed them. */
export function listTools(process: string): Json {
  return [
    { name: 'work', inputSchema: { type: 'object' } },
    { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: process, inputSchema: { type: 'object' } },
  ];
}

/** The resources of a server, by its name. */
export function urisOf(server: string): string[] {
  return [`sim://${server}/a`, `sim://${server}/b`];
}

/** As clients name a resource, whatever they know of other servers. */
export function toPublicUri(server: string, uri: string): string {
  return `${server}+${uri}`;
}

export function listResources(server: string): Json {
  return urisOf(server).map((uri) => ({ uri, name: uri }));
}

/** A question as it stands in a request. */
export function toQuestionParams(method: string, meta: JsonObject): JsonObject {
  if (method === 'elicitation/create')
    return { message: 'Well?', requestedSchema: { type: 'object', properties: {} }, _meta: meta };
  if (method === 'sampling/createMessage')
    return { messages: [{ role: 'user', content: { type: 'text', text: 'Say.' } }], maxTokens: 1, _meta: meta };
  return { _meta: meta };
}
