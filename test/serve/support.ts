/** A front whose calls a test answers itself, and edges of both eras in front of it. */
import type { Call, CallOutcome, Client, Outcome } from '../../src/base/call/call.ts';
import type { Answer, Question } from '../../src/base/call/question.ts';
import { isObject, type Json, type JsonObject } from '../../src/base/json/json.ts';
import { RawJson } from '../../src/base/json/raw-json.ts';
import type { Front } from '../../src/front/front.ts';
import type { Request } from '../../src/serve/conversation/message.ts';
import type { ClientRequestContext } from '../../src/serve/edge/edge.ts';
import { createLegacyEdge, type LegacyEdge } from '../../src/serve/legacy/legacy.ts';
import { createModernEdge } from '../../src/serve/modern/modern.ts';
import { createParkedCalls, type ParkLimits, parkLimits } from '../../src/serve/modern/parked-calls.ts';
import { createTaskStore } from '../../src/serve/tasks/task-store.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

export type Answering = (call: Call) => Promise<CallOutcome> | CallOutcome;

export const identity = { name: 'workbench', version: '1.0.0' };
export const done: CallOutcome = { result: RawJson.of({ content: [{ type: 'text', text: 'done' }] }) };
export const form: Question = { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: {} } };
export const url: Question = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://example.test/in', elicitationId: 'e1' },
};
export const sampling: Question = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
export const samplingWithTools: Question = { ...sampling, params: { ...sampling.params, tools: [] } };
export const roots: Question = { method: 'roots/list', params: {} };
export const everything: JsonObject = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** What was asked and what came back, as the text of a result: so that a test sees what the server would. */
export function tellAnswers(...answers: Answer[]): CallOutcome {
  return { result: RawJson.of({ content: [], structuredContent: { answers } as unknown as JsonObject }) };
}

export function createAnsweringFront(
  answer: Answering,
): Front & { readonly clients: Client[]; readonly calls: Call[] } {
  const clients: Client[] = [];
  const calls: Call[] = [];
  const take = async (call: Call): Promise<CallOutcome> => {
    calls.push(call);
    return answer(call);
  };
  return {
    clients,
    calls,
    connect(client) {
      clients.push(client);
      return {
        instructions: '',
        list: async () => RawJson.of({ tools: [] }),
        callTool: take,
        getPrompt: take,
        readResource: take,
        complete: take,
        hint: () => ({ ttlMs: 0, cacheScope: 'private' }),
        subscribe: async () => ({ stop() {} }),
        findInputSchema: () => undefined,
        onClientListChanged: () => () => {},
        close() {},
      };
    },
    clientConnected() {},
    findOwn: () => undefined,
    setLogLevel() {},
    findLoop: () => undefined,
    reaches: () => [],
    onWarning: () => () => {},
    forClient() {
      return this;
    },
  };
}

export function request(method: string, params: JsonObject = {}, id: string | number = 1): Request {
  return { kind: 'request', id, method, params, meta: isObject(params._meta) ? params._meta : {} };
}

/** One request on its way, and what was sent on its stream. */
export interface Trip extends ClientRequestContext {
  readonly sent: JsonObject[];
  cancel(): void;
}

export function createTrip(client?: Client): Trip {
  const control = new AbortController();
  const sent: JsonObject[] = [];
  return {
    signal: control.signal,
    sent,
    send: (line) => void sent.push(JSON.parse(line) as JsonObject),
    cancel: () => control.abort(),
    ...(client === undefined ? {} : { client }),
  };
}

export interface ModernSetup {
  readonly clock: FakeClock;
  readonly front: ReturnType<typeof createAnsweringFront>;
  /** Calls a tool; `ended` is how that request was answered, once it is. */
  call(sent?: ModernSent): Trip & { readonly answer: Promise<JsonObject>; readonly ended: JsonObject | undefined };
  close(): void;
}

export interface ModernSent {
  readonly method?: string;
  readonly params?: JsonObject;
  readonly capabilities?: JsonObject;
  readonly meta?: JsonObject;
  readonly principal?: string;
}

/** A stateless edge over a clock that stands still. */
export function setUpModern(answer: Answering, limits: Partial<ParkLimits> = {}): ModernSetup {
  const clock = createFakeClock();
  const front = createAnsweringFront(answer);
  const calls = createParkedCalls(clock, { ...parkLimits, ...limits });
  const tasks = createTaskStore(clock);
  const edge = createModernEdge({ front, identity, calls, tasks, localUser: true });
  let id = 0;
  return {
    clock,
    front,
    call({ method = 'tools/call', params = {}, capabilities = everything, meta = {}, principal = 'ann' } = {}) {
      const trip = createTrip({ name: 'test', principal });
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': capabilities,
        ...meta,
      };
      const target = method === 'resources/read' ? { uri: 'file:///a' } : { name: 'ask' };
      let ended: JsonObject | undefined;
      const answered = edge.request(request(method, { ...target, ...params, _meta }, ++id), trip).then((outcome) => {
        ended = toJson(outcome as Outcome);
        return ended;
      });
      return {
        ...trip,
        answer: answered,
        get ended() {
          return ended;
        },
      };
    },
    close() {
      calls.close();
      edge.close();
    },
  };
}

/** Lets the questions of a call be put. */
export const gathered = 25;

export function toJson(outcome: Outcome): JsonObject {
  return 'error' in outcome ? { error: outcome.error } : { ...outcome.result.value };
}

export interface LegacySetup {
  readonly clock: FakeClock;
  readonly front: ReturnType<typeof createAnsweringFront>;
  readonly edge: LegacyEdge;
  readonly client: Client;
  /** What belongs to no request. */
  readonly general: JsonObject[];
  call(params?: JsonObject): Trip & { readonly answer: Promise<JsonObject> };
}

/** A handshake-era edge whose client declared these capabilities. */
export function setUpLegacy(
  answer: Answering,
  { capabilities = everything, version = '2025-11-25' }: { capabilities?: JsonObject; version?: string } = {},
): LegacySetup {
  const clock = createFakeClock();
  const front = createAnsweringFront(answer);
  const general: JsonObject[] = [];
  const send = (line: string) => void general.push(JSON.parse(line) as JsonObject);
  const initialize = request('initialize', { protocolVersion: version, capabilities, clientInfo: { name: 'old' } });
  const tasks = createTaskStore(clock);
  const { edge } = createLegacyEdge({ front, identity, clock, send, tasks, principal: 'ann' }, initialize);
  return {
    clock,
    front,
    edge,
    general,
    client: front.clients[0] as Client,
    call(params = {}) {
      const trip = createTrip();
      const answered = edge.request(request('tools/call', { name: 'ask', ...params }), trip);
      return { ...trip, answer: answered.then((outcome) => toJson(outcome as Outcome)) };
    },
  };
}

/** A member deep inside, for looking at what came. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((found, key) => (isObject(found) ? found[key] : undefined), value);
}
