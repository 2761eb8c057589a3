/**
 * A call in rounds: a server answers with questions and is called again with the answers to them. A client that takes questions as
 * an answer plays the rounds itself; for any other client they are played here.
 */

import { anyCancelled, CancelToken } from '../../base/async/cancel-token.ts';
import type { Clock } from '../../base/async/clock.ts';
import type { Call, CallOutcome, Round } from '../../base/call/call.ts';
import type { Question } from '../../base/call/question.ts';
import { findString, type JsonObject } from '../../base/json/json.ts';
import type { RawJson } from '../../base/json/raw-json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { pause } from '../rpc/pause.ts';
import { askClient } from './ask-client.ts';
import { readQuestions } from './input-required.ts';

const maxRounds = 8;
/** A server that asks nothing only wants to be called again; it is busy, so a little later. */
const breathMs = 250;

export interface RoundsOptions {
  readonly clock: Clock;
  /** What the first request comes to. */
  readonly first: Promise<CallOutcome>;
  /** Sends the call again, as a new request. */
  send(round: Round): Promise<CallOutcome>;
}

export async function runInputRounds(call: Call, { clock, first, send }: RoundsOptions): Promise<CallOutcome> {
  let outcome = await first;
  for (let round = 1; 'inputRequired' in outcome && !call.features.takesQuestions; round++) {
    if (round > maxRounds) return failed(`The server asked for input ${round} times in one call; it was given up.`);
    const next = await answerRound(outcome.inputRequired, call, clock);
    if ('error' in next) return next;
    outcome = await send(next);
  }
  return outcome;
}

async function answerRound(asked: RawJson, call: Call, clock: Clock): Promise<Round | Failed> {
  const questions = readQuestions(asked, call);
  if ('fault' in questions) return failed(questions.fault);
  const requestState = findString(asked.value, 'requestState');
  const state = requestState === undefined ? {} : { requestState };
  if (questions.size === 0) {
    await pause(clock, breathMs, call.signal);
    return state;
  }
  const answered = await askAll(questions, call);
  return 'error' in answered ? answered : { inputResponses: answered.responses, ...state };
}

/** Asks all at once. The server cannot be told that one was not answered, so one unanswered question ends the call. */
async function askAll(
  questions: ReadonlyMap<string, Question>,
  call: Call,
): Promise<{ readonly responses: JsonObject } | Failed> {
  const control = new CancelToken();
  const signal = anyCancelled(call.signal, control);
  const asked = [...questions].map(async ([key, question]): Promise<[string, JsonObject]> => {
    const answer = await askClient(call, question, signal);
    if ('result' in answer) return [key, answer.result];
    throw new Unanswered(
      `The question '${question.method}' of the server was not answered: ${toPrintable(answer.error.message)}`,
    );
  });
  try {
    return { responses: Object.fromEntries(await Promise.all(asked)) as JsonObject };
  } catch (error) {
    control.abort();
    if (error instanceof Unanswered) return failed(error.message);
    throw error;
  }
}

class Unanswered extends Error {}

interface Failed {
  readonly error: RpcError;
}

function failed(message: string): Failed {
  return { error: rpcError(rpcCode.internal, message) };
}
