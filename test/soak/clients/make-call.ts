/** Makes one call of the soak and judges what comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { toText } from '../../fixtures/soak/text.mjs';
import type { CallPlan, Plan } from '../plan.ts';
import type { Tally } from '../tally.ts';
import { badLimitMs, healthyLimitMs, healthyServers, separator } from '../trouble/scenery.ts';
import { type Answer, type Json, kindOf, textOf } from './answer.ts';
import type { SoakClient } from './client.ts';

export interface CallGround {
  readonly tally: Tally;
  /** Whether the server was killed between then and now, or shortly before. */
  wasKilled(server: string, since: number): boolean;
  /** What a bad server is doing at the moment. */
  faultOf(server: string): string;
}

const waitMs = 30_000;

export async function makeCall(plan: Plan, client: SoakClient, ground: CallGround): Promise<void> {
  const { tally } = ground;
  if (plan.kind === 'list') {
    tally.count('lists');
    return judgeList(await within(client.ask({ method: 'tools/list', params: {} }).answer, healthyLimitMs), tally);
  }
  tally.count('calls');
  tally.count(`calls: ${plan.kind}`);
  const { server, nonce, kind } = plan;
  const fault = ground.faultOf(server.name);
  const heard: Json[] = [];
  const began = Date.now();
  const cancelLater = () => void sleep(plan.cancelAfterMs).then(() => asked.cancel());
  const onProgress = (params: Json) => {
    heard.push(params);
    if (kind === 'cancel' && client.era === 'legacy' && params.message === nonce) cancelLater();
  };
  const asked = client.ask({
    method: 'tools/call',
    params: { name: `${server.name}${separator}${plan.tool}`, arguments: toArguments(plan) },
    ...((kind === 'progress' || kind === 'cancel') && { onProgress: (params: Json) => onProgress(params) }),
    ...(kind === 'ask' && { onQuestion: (params: Json) => answerQuestion(plan, params, tally) }),
    askedAnywhere: server.own,
  });
  // A cancellation in a message of its own could overtake the call, so that waits for a sign of it.
  if (kind === 'cancel' && client.era === 'modern') cancelLater();
  const answer = await within(asked.answer, server.bad ? badLimitMs : healthyLimitMs);
  const tookMs = Date.now() - began;
  if (server.bad) return judgeBad(plan, answer, { fault, tookMs, tally });
  if (kind === 'cancel' && (answer?.kind === 'none' || answer?.kind === 'failed')) return;
  const cut = ground.wasKilled(server.name, began);
  if (!judgeHealthy(plan, answer, { cut, tally })) return;
  const foreign = heard.find((progress) => progress.message !== nonce && !isStartNotice(progress, server.name));
  if (foreign !== undefined) tally.fault('misrouted', `progress at ${nonce}: ${JSON.stringify(foreign)}`);
  const steps = heard.filter(({ message }) => message === nonce).length;
  if (steps < plan.steps && !cut) tally.fault('progress', `${steps} of ${plan.steps} at ${nonce}`);
  if (kind === 'call' && plan.size + plan.load < 10_000) tally.latency(tookMs);
}

function toArguments({ nonce, size, load, steps, tool }: CallPlan): Json {
  if (tool === 'wait') return { nonce, ms: waitMs };
  return { nonce, size, ...(steps > 0 && { steps }), ...(load > 0 && { load: 'x'.repeat(load) }) };
}

/** What the Workbench itself tells a call that waits for its server to start. */
function isStartNotice({ message }: Json, server: string): boolean {
  return String(message).startsWith(`Server '${server}' is starting`);
}

function answerQuestion({ nonce }: CallPlan, { message }: Json, tally: Tally): Json {
  if (!String(message).endsWith(`Repeat ${nonce}`)) tally.fault('misrouted', `the call ${nonce} was asked: ${message}`);
  return { action: 'accept', content: { nonce } };
}

interface HealthyGround {
  /** Its server was killed meanwhile, which excuses a failure, but no silence. */
  readonly cut: boolean;
  readonly tally: Tally;
}

/** Whether it was the answer that was expected. */
function judgeHealthy(plan: CallPlan, answer: Answer | undefined, { cut, tally }: HealthyGround): boolean {
  const { nonce, server, kind, size } = plan;
  if (answer === undefined || answer.kind === 'none' || answer.kind === 'failed') {
    tally.fault('lost', `${nonce} (${kind}): ${answer?.kind === 'failed' ? answer.why : 'no answer'}`);
    return false;
  }
  if (kindOf(answer) !== 'result') {
    if (cut) tally.count('cut off by a kill, and told so');
    else tally.fault('refused', `${nonce} (${kind}): ${kindOf(answer)} ${describe(answer)}`);
    return false;
  }
  const text = answer.kind === 'result' ? textOf(answer.result) : '';
  const expected = toText(nonce, server.name, size) + (kind === 'ask' ? nonce : '');
  if (text === expected) {
    tally.count('answered by healthy servers');
    return true;
  }
  tally.fault(text.startsWith(nonce) ? 'damaged' : 'misrouted', `${nonce} (${kind}) got ${text.slice(0, 80)}`);
  return false;
}

interface BadGround {
  readonly fault: string;
  readonly tookMs: number;
  readonly tally: Tally;
}

function judgeBad(plan: CallPlan, answer: Answer | undefined, { fault, tookMs, tally }: BadGround): void {
  const { nonce, server, size } = plan;
  if (answer === undefined) tally.fault('late', `${nonce} (${fault}): nothing after ${tookMs} ms`);
  else if (answer.kind === 'none' || answer.kind === 'failed')
    tally.fault('unanswered', `${nonce} (${fault}): ${answer.kind === 'failed' ? answer.why : 'no answer'}`);
  else {
    tally.countBad(fault, kindOf(answer));
    if (kindOf(answer) !== 'result' || answer.kind !== 'result') return;
    const text = textOf(answer.result);
    if (text !== toText(nonce, server.name, size) && !/^h+$/.test(text))
      tally.fault('misrouted', `${nonce} (${fault}) got ${text.slice(0, 80)}`);
  }
}

function judgeList(answer: Answer | undefined, tally: Tally): void {
  if (answer?.kind !== 'result') {
    tally.fault('lost', `a list: ${answer === undefined ? 'no answer' : describe(answer)}`);
    return;
  }
  const names = new Set((answer.result.tools as Json[]).map(({ name }) => name));
  const missing = healthyServers.filter(({ name }) => !names.has(`${name}${separator}work`));
  if (missing.length > 0) tally.fault('listing', missing.map(({ name }) => name).join(', '));
}

function describe(answer: Answer): string {
  if (answer.kind === 'error') return answer.message;
  if (answer.kind === 'failed') return answer.why;
  return answer.kind === 'result' ? textOf(answer.result).slice(0, 200) : '';
}

/** Undefined when the time is up. */
async function within(answer: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  const timer = new AbortController();
  const limit = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  return Promise.race([answer, limit]).finally(() => timer.abort());
}
