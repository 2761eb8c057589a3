/**
 * Questions of servers, with the name of the server that asks: a client sees one server where there are several, and the person
 * who answers should know which server gets the answer.
 */
import type { Call } from '../../base/call/call.ts';
import type { Question } from '../../base/call/question.ts';
import { findMember, findObject, findString, isObject } from '../../base/json/json.ts';
import type { Edits } from '../../base/json/json-edit.ts';
import type { RawJson } from '../../base/json/raw-json.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';

/** The same call; questions to its client name the server that asks. */
export function withLabelledQuestions(bench: WorkbenchView, server: string, call: Call): Call {
  if (!isOneOfMany(bench)) return call;
  return { ...call, ask: (question, signal) => call.ask(toLabelled(question, server), signal) };
}

/** The same for questions that are returned as an answer. */
export function labelQuestions(bench: WorkbenchView, server: string, questions: RawJson): RawJson {
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

function isOneOfMany({ config }: WorkbenchView): boolean {
  return config.servers.size > 1;
}
