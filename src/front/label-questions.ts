/**
 * Questions of servers, with the name of the server that asks: a client sees one server where there are several, and the person
 * who answers should know which server gets the answer.
 */
import type { Call } from '../base/call.ts';
import { findMember, findObject, findString, isObject } from '../base/json.ts';
import type { Edits } from '../base/json-edit.ts';
import type { Payload } from '../base/payload.ts';
import type { Question } from '../base/question.ts';
import type { Bench } from '../workbench/bench.ts';

/** The same call; questions to its client name the server that asks. */
export function withLabelledQuestions(bench: Bench, server: string, call: Call): Call {
  if (!isOneOfMany(bench)) return call;
  return { ...call, ask: (question, signal) => call.ask(toLabelled(question, server), signal) };
}

/** The same for questions that are returned as an answer. */
export function labelQuestions(bench: Bench, server: string, questions: Payload): Payload {
  const requests = findObject(questions.value, 'inputRequests');
  if (requests === undefined || !isOneOfMany(bench)) return questions;
  const edits = new Map<string, Edits>();
  for (const [key, request] of Object.entries(requests)) {
    const method = isObject(request) ? findMember(request, 'method') : undefined;
    const message = isObject(request) ? findString(findObject(request, 'params') ?? {}, 'message') : undefined;
    if (method === 'elicitation/create' && message !== undefined)
      edits.set(key, new Map([['params', new Map([['message', label(server, message)]])]]));
  }
  return edits.size === 0 ? questions : questions.edit(new Map([['inputRequests', edits]]));
}

function toLabelled({ method, params }: Question, server: string): Question {
  const message = findString(params, 'message');
  if (method !== 'elicitation/create' || message === undefined) return { method, params };
  return { method, params: { ...params, message: label(server, message) } };
}

function label(server: string, message: string): string {
  return `[${server}] ${message}`;
}

function isOneOfMany({ config }: Bench): boolean {
  return config.servers.size > 1;
}
