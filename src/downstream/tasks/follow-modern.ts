/** Follows a task of the stateless era: polls it, asks the client what the task wants to know, and answers with `tasks/update`. */

import { anyCancelled } from '../../base/async/cancel-token.ts';
import type { Outcome } from '../../base/call/call.ts';
import type { Question } from '../../base/call/question.ts';
import { findMember, findObject, findString, type JsonObject, withoutMembers } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { readQuestions } from '../call/input-required.ts';
import type { FollowTask, TaskWork } from './drive-task.ts';

/** How many answers in a row may be lost on their way. */
const maxLost = 3;

export const followModern: FollowTask = (work) => {
  const asked = new Set<string>();
  return new Promise((resolve, reject) => {
    const fail = (message: string) => {
      if (work.signal.aborted) return;
      work.cancel();
      resolve(failed(message));
    };
    const onInput = (task: JsonObject) => {
      // Each question has a key of its own for as long as the task lives, and may be seen more than once.
      const fresh = withoutMembers(findObject(task, 'inputRequests') ?? {}, [...asked]);
      if (Object.keys(fresh).length === 0) return;
      for (const key of Object.keys(fresh)) asked.add(key);
      const questions = readQuestions(RawJson.of({ inputRequests: fresh }), work.call);
      if ('fault' in questions) fail(`The server asks for input against the rules: ${questions.fault}.`);
      else answerAll(questions, work).catch((error: unknown) => fail(error instanceof Error ? error.message : ''));
    };
    poll(work, onInput).then(resolve, reject);
  });
};

async function poll(work: TaskWork, onInput: (task: JsonObject) => void): Promise<Outcome> {
  const ended = anyCancelled(work.signal, work.peer.over);
  let lost = 0;
  for (let first = true; ; first = false) {
    if (!first || work.state.status === 'working') await work.breathe(ended);
    let outcome: Outcome;
    try {
      outcome = await work.request('tasks/get');
    } catch (error) {
      if (work.peer.over.aborted || ++lost >= maxLost) throw error;
      continue;
    }
    lost = 0;
    // Also when the task is not driven any more.
    if ('error' in outcome) return outcome;
    const { value } = outcome.result;
    switch (work.hear(value).status) {
      case 'input_required':
        onInput(value);
        break;
      case 'completed':
        return toResult(outcome.result);
      case 'failed':
        return toError(findObject(value, 'error') ?? {});
      case 'cancelled':
        return failed(
          `The server cancelled the task${work.state.statusMessage === undefined ? '.' : ':'} ${toPrintable(work.state.statusMessage ?? '', 200)}`.trim(),
        );
    }
  }
}

/** Asks all at once. A question that cannot be answered ends the task: the server cannot be told otherwise. */
async function answerAll(questions: ReadonlyMap<string, Question>, work: TaskWork): Promise<void> {
  const answers = [...questions].map(async ([key, question]): Promise<[string, JsonObject]> => {
    const answer = await work.open.ask(question, work.signal);
    if ('result' in answer) return [key, answer.result];
    throw new Error(
      `The question '${question.method}' of the server was not answered: ${toPrintable(answer.error.message)}`,
    );
  });
  const inputResponses = Object.fromEntries(await Promise.all(answers)) as JsonObject;
  const outcome = await work.request('tasks/update', { params: { inputResponses } });
  if ('error' in outcome && !work.signal.aborted)
    throw new Error(`The server did not take the answer to its question: ${toPrintable(outcome.error.message)}`);
}

function toResult(task: RawJson): Outcome {
  const result = task.find('result');
  const type = result && (findMember(result.value, 'resultType') ?? 'complete');
  return result !== undefined && type === 'complete'
    ? { result }
    : failed('The server completed the task without a result.');
}

function toError(error: JsonObject): Outcome {
  const code = findMember(error, 'code');
  const message = findString(error, 'message') ?? 'The server reported an error without a message.';
  return { error: { ...error, code: Number.isInteger(code) ? (code as number) : rpcCode.internal, message } };
}

function failed(message: string): Outcome {
  return { error: rpcError(rpcCode.internal, message) };
}
