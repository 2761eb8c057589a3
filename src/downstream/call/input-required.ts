/** Questions of a server of the stateless era, which come as an answer: read from what it sent, and checked. */
import type { Call } from '../../base/call/call.ts';
import { findMissing, type Question } from '../../base/call/question.ts';
import { findMember, isObject } from '../../base/json/json.ts';
import type { RawJson } from '../../base/json/raw-json.ts';
import { methodFacts } from '../../base/rpc/mcp.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { cleanParams, parseQuestion } from './parse-question.ts';

const maxQuestions = 64;

/** The questions in a result, by key; when it breaks the rules, what is wrong with it. */
export function readQuestions(result: RawJson, call: Call): ReadonlyMap<string, Question> | { readonly fault: string } {
  if (methodFacts(call.method).mayAsk !== true) return { fault: `'${call.method}' cannot be answered with questions` };
  const state = findMember(result.value, 'requestState');
  if (state !== undefined && typeof state !== 'string') return { fault: 'its requestState is not a string' };
  const requests = findMember(result.value, 'inputRequests') ?? {};
  if (!isObject(requests)) return { fault: 'its inputRequests are not an object' };
  const entries = Object.entries(requests);
  if (entries.length === 0 && state === undefined) return { fault: 'it asks nothing' };
  if (entries.length > maxQuestions) return { fault: `it asks more than ${maxQuestions} questions at once` };
  const questions = new Map<string, Question>();
  for (const [key, request] of entries) {
    const shown = toPrintable(key, 60);
    if (!isObject(request)) return { fault: `its question '${shown}' is not an object` };
    const read = parseQuestion(findMember(request, 'method'), findMember(request, 'params'));
    if ('error' in read) return { fault: `its question '${shown}' cannot be asked (${read.error.message})` };
    if (findMissing(call.features.capabilities, read.question) !== undefined)
      return { fault: `its question '${shown}' (${read.question.method}) is of a kind the client did not offer` };
    questions.set(key, read.question);
  }
  return questions;
}

/** The same result with every question as it may be passed on; what needs no cleaning keeps its text. */
export function withCleanQuestions(result: RawJson, questions: ReadonlyMap<string, Question>): RawJson {
  const requests = result.find('inputRequests');
  const cleaned: [string, RawJson][] = [];
  for (const [key, { method, params }] of questions) {
    const request = requests?.find(key);
    const given = request?.find('params');
    if (given !== undefined && cleanParams(method, given.value) !== given.value)
      cleaned.push([key, request?.with({ params }) as RawJson]);
  }
  if (requests === undefined || cleaned.length === 0) return result;
  return result.with({ inputRequests: requests.with(Object.fromEntries(cleaned)) });
}
