/** What clients of both eras have in common: a wire, requests that the judge knows of, and calls drawn by chance. */
import type { Clock } from '../../../src/base/async/clock.ts';
import type { QuestionMethod } from '../../../src/base/call/question.ts';
import { findObject, type JsonObject } from '../../../src/base/json/json.ts';
import type { Judge } from '../checks/judge.ts';
import { readMarks, toMeta } from '../checks/marks.ts';
import type { Attempt } from '../checks/records.ts';
import { drawPlan, type PlanHabits, toJson } from '../plan.ts';
import type { Random } from '../random.ts';
import type { ServerSpec } from '../servers/server-spec.ts';
import type { Door } from './doors.ts';
import { createPipe, type Pipe } from './pipe.ts';

export interface SimClient {
  readonly name: string;
  readonly pipes: readonly Pipe[];
  /** Does something. */
  act(): void;
  /** Watches this resource, and the Workbench has agreed. */
  isWatching(uri: string): boolean;
  /** It has to hear of a change. */
  owe(uri: string): void;
  leave(): void;
  /** What it still waits for. */
  leftovers(): string[];
}

export interface ClientContext {
  readonly judge: Judge;
  readonly random: Random;
  readonly clock: Clock;
  readonly specs: readonly ServerSpec[];
  /** The one in force. */
  mode(): 'flat' | 'meta';
  readonly habits: PlanHabits;
  open(send: (line: string) => void): Door;
}

export interface Wire {
  readonly up: Pipe;
  readonly down: Pipe;
  say(message: JsonObject): void;
  close(): void;
}

/** A connection; `take` hears what comes. */
export function openWire(
  name: string,
  { open, judge, mode }: Pick<ClientContext, 'open' | 'judge' | 'mode'>,
  take: (message: JsonObject) => void,
): Wire {
  const calls = new Map<unknown, Attempt>();
  const up = createPipe(`> ${name}`);
  const down = createPipe(`< ${name}`);
  const over = (id: unknown) => {
    const attempt = calls.get(id);
    calls.delete(id);
    if (attempt !== undefined) judge.onOver(attempt);
  };
  const door = open((line) => {
    const message = JSON.parse(line) as JsonObject;
    if (message.method === undefined) over(message.id);
    down.push(line, () => take(message));
  });
  return {
    up,
    down,
    say(message) {
      const line = JSON.stringify({ jsonrpc: '2.0', ...message });
      up.push(line, () => {
        const params = findObject(message, 'params') ?? {};
        const { attempt: number = 0 } = readMarks(params);
        const attempt = judge.attempts[number - 1];
        if (attempt !== undefined) {
          calls.set(message.id, attempt);
          judge.onReceived(attempt, isNamedFor(mode(), params));
        }
        if (message.method === 'notifications/cancelled') over(params.requestId);
        door.receive(line);
      });
    },
    close() {
      up.cut();
      down.cut();
      door.close();
      for (const id of [...calls.keys()]) over(id);
    },
  };
}

export interface DrawnCall {
  readonly nonce: string;
  readonly spec: ServerSpec;
  readonly params: JsonObject;
}

/** A new call, told to the judge. */
export function drawCall({ judge, random, specs, mode, habits }: ClientContext, owner: string): DrawnCall {
  const nonce = `n${judge.calls.size + 1}`;
  const spec = random.pick(specs);
  const tool = random.pick(['work', 'work', 'read']);
  judge.call({ nonce, owner, spec, repeatable: tool === 'read' });
  const own: JsonObject = { plan: toJson(drawPlan(random, habits)) };
  const params =
    mode() === 'flat'
      ? { name: `${spec.name}:${tool}`, arguments: own }
      : {
          name: 'use_tool',
          arguments: { tool: { toolbox: spec.name, server: spec.name, name: tool }, arguments: own },
        };
  return { nonce, spec, params };
}

/** By a name of another mode nothing is called; whether it is that of a tool, the Workbench may take its time to find out. */
function isNamedFor(mode: 'flat' | 'meta', params: JsonObject): boolean {
  return (params.name === 'use_tool') === (mode === 'meta');
}

/** A call as it stands in a request; the marks travel beside what makes the call the same call. */
export function withMarks(params: JsonObject, { nonce, attempt }: { nonce: string; attempt: Attempt }): JsonObject {
  const token = attempt.token === undefined ? {} : { progressToken: attempt.token };
  return {
    ...params,
    _meta: { ...findObject(params, '_meta'), ...toMeta({ nonce, attempt: attempt.number }), ...token },
  };
}

/** What a client says to a question. */
export function drawAnswer(random: Random, method: QuestionMethod, meta: JsonObject): JsonObject {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///x' }], _meta: meta };
  if (method === 'sampling/createMessage')
    return { role: 'assistant', content: { type: 'text', text: 'Said.' }, model: 'm', _meta: meta };
  const action = random.pick(['accept', 'accept', 'decline', 'cancel']);
  return { action, ...(action === 'accept' ? { content: {} } : {}), _meta: meta };
}

const allCapabilities: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

export function drawCapabilities(random: Random): JsonObject {
  if (random.chance(0.7)) return allCapabilities;
  return Object.fromEntries(Object.entries(allCapabilities).filter(() => random.chance(0.5)));
}

/** Changes that reached the Workbench and that a client has to hear of. */
export function createDebts(name: string) {
  const owed = new Map<string, number>();
  const change = (uri: string, by: number) => owed.set(uri, Math.max(0, (owed.get(uri) ?? 0) + by));
  return {
    owe: (uri: string) => void change(uri, 1),
    paid: (uri: string) => void change(uri, -1),
    forgive: (uri?: string) => (uri === undefined ? owed.clear() : void owed.delete(uri)),
    open: () => [...owed].filter(([, count]) => count > 0).map(([uri]) => `news of ${uri} for ${name}`),
  };
}
