/** The client before the Workbench, in either era: it calls tools and answers whatever it is asked on the way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { walkHome } from '../downstream/oauth/walk.ts';
import type { Era } from './measurement.ts';

type Json = Record<string, unknown>;

export interface NorthClient {
  listTools(): Promise<Json[]>;
  /** Goes on until there is a result that asks for nothing more; an error is thrown. */
  call(name: string, args: Json): Promise<Json>;
  close(): Promise<void>;
}

const capabilities = { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: {}, roots: {} };
const clientInfo = { name: 'conformance-driver', version: '1.0.0' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
};
const urlRequired = -32042;
/** More rounds than any scenario has: whoever still asks then will never stop. */
const mostRounds = 6;

export async function startNorthClient(era: Era, args: readonly string[], env: Json): Promise<NorthClient> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env } as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { ask, tell, heard } = speak(child);
  const request = (method: string, params: Json = {}) =>
    ask(method, era === 'modern' ? { ...params, _meta: envelope } : params);
  if (era === 'legacy') {
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    tell({ method: 'notifications/initialized' });
  }
  return {
    async listTools() {
      const { result } = await request('tools/list');
      return ((result as Json | undefined)?.tools ?? []) as Json[];
    },
    async call(name, args) {
      let more: Json = {};
      for (let round = 0; round < mostRounds; round++) {
        const { result = {}, error } = await request('tools/call', { name, arguments: args, ...more });
        const next = era === 'modern' ? answerQuestions(result as Json) : await openAddresses(error as Json, heard);
        if (next !== undefined) more = next;
        else if (error !== undefined) throw new Error(JSON.stringify(error));
        else return result as Json;
      }
      throw new Error(`${name} asks for more again and again`);
    },
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await gone;
    },
  };
}

/** What to send with the next round, if the result asks for one. */
function answerQuestions({ resultType, inputRequests, requestState }: Json): Json | undefined {
  if (resultType !== 'input_required') return undefined;
  const answers: Json = {};
  for (const [key, question] of Object.entries(inputRequests as Record<string, { params: Json }>)) {
    const { mode, url } = question.params;
    answers[key] = mode === 'url' ? { action: 'accept' } : fillIn(question.params);
    // Not waited for: the answer is given while the person is still on the way.
    if (mode === 'url') walkHome(String(url)).catch(() => {});
  }
  return { inputResponses: answers, ...(requestState === undefined ? {} : { requestState }) };
}

/** The form as a person leaves it who changes nothing. */
function fillIn({ requestedSchema }: Json): Json {
  const properties = ((requestedSchema ?? {}) as { properties?: Record<string, Json> }).properties ?? {};
  const preset = Object.entries(properties).filter(([, { default: value }]) => value !== undefined);
  const content = Object.fromEntries(preset.map(([name, { default: value }]) => [name, value]));
  return { action: 'accept', content: preset.length === 0 ? { confirmed: true } : content };
}

/** The person has signed in when the Workbench says so, not when the browser is back. */
async function openAddresses(error: Json | undefined, heard: Heard): Promise<Json | undefined> {
  if (error?.code !== urlRequired) return undefined;
  const { elicitations } = error.data as { elicitations: { url: string; elicitationId: string }[] };
  for (const { url, elicitationId } of elicitations) {
    const done = heard(({ method, params }) => {
      return method === 'notifications/elicitation/complete' && (params as Json).elicitationId === elicitationId;
    });
    await walkHome(url);
    await done;
  }
  return {};
}

type Heard = (isIt: (message: Json) => boolean) => Promise<void>;

/** JSON-RPC over the pipes of the child; what it asks by itself is answered as a willing client would. */
function speak(child: ChildProcess) {
  const waiting = new Map<number, (answer: Json) => void>();
  const listeners = new Set<(message: Json) => void>();
  let last = 0;
  const tell = (message: Json) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  if (child.stdout === null) throw new Error('no pipe');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Json;
    for (const listener of listeners) listener(message);
    if (message.method === undefined) waiting.get(Number(message.id))?.(message);
    else if (message.id !== undefined) tell({ id: message.id, result: fillIn((message.params ?? {}) as Json) });
  });
  const ask = (method: string, params: Json): Promise<Json> => {
    const id = ++last;
    tell({ id, method, params });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  const heard: Heard = (isIt) =>
    new Promise((resolve) => {
      const listener = (message: Json) => {
        if (isIt(message) && listeners.delete(listener)) resolve();
      };
      listeners.add(listener);
    });
  return { ask, tell, heard };
}
