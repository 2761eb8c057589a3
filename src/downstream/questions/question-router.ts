/** Puts the questions of a server to the client they belong to, and refuses those whose client is not certain. */

import type { CancelSignal } from '../../base/async/cancel-token.ts';
import type { ReadonlyInFlightMap } from '../../base/async/in-flight-map.ts';
import { type Answer, findMissing, type Question } from '../../base/call/question.ts';
import { findMember } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { callEnded } from '../call/ask-client.ts';
import type { InFlightCall } from '../call/in-flight-call.ts';
import { parseQuestion } from '../call/parse-question.ts';
import type { AnswerRequest } from '../rpc/server-requests.ts';
import { findRelatedTask, type LiveTasks } from '../tasks/live-tasks.ts';
import type { Company, Need } from './company.ts';
import type { Elicitations } from './elicitations.ts';
import type { QuestionOwner } from './question-owner.ts';

export interface QuestionRouterParts {
  readonly company: Company;
  readonly inFlight: ReadonlyInFlightMap<number, InFlightCall>;
  readonly elicitations: Elicitations;
  readonly tasks: LiveTasks;
  onNeed(need: Need): void;
  /** The client that what came on a stream, or on none, belongs to. */
  whose(stream: number | undefined): QuestionOwner<InFlightCall>;
}

export function createQuestionRouter({
  company,
  inFlight,
  elicitations,
  tasks,
  whose,
  onNeed,
}: QuestionRouterParts): AnswerRequest {
  return async (method, params, { stream, signal }) => {
    const read = parseQuestion(method, params);
    if ('error' in read) return read;
    const { question } = read;
    // A question that names its task belongs to the call that drives it, even if other clients call.
    const task = findRelatedTask(params);
    // The answer that makes the task may come a moment later, on another stream.
    if (task !== undefined && !tasks.byId.has(task)) await new Promise((resolve) => setImmediate(resolve));
    const driver = task === undefined ? undefined : tasks.byId.get(task)?.open;
    const found: QuestionOwner<InFlightCall> =
      driver === undefined ? whose(stream) : { to: 'calls', client: driver.call.client, calls: [driver] };
    const wantsRoots = question.method === 'roots/list';
    if (wantsRoots) onNeed('roots');
    if (found.to === 'nobody') {
      if (found.why === 'several clients') onNeed('apart');
      // A server wants roots for itself, when it begins: the client that comes to use it may be asked then.
      const later = wantsRoots && found.why === 'no call' ? company.askLater?.(question, signal) : undefined;
      return later ?? { error: refusals[found.why] };
    }
    elicitations.remember(findMember(question.params, 'elicitationId'), found.client);
    const { session } = found.client;
    const askAside = (): Promise<Answer> | undefined => {
      if (session === undefined || signal.aborted) return undefined;
      const release = company.hold();
      const answer = session.ask(question, signal).finally(release);
      if (wantsRoots) company.onRoots?.(answer);
      return answer;
    };
    if (found.to === 'client') return askAside() ?? { error: refusals['no call'] };
    const owner = findAskable(found.calls, question);
    if (findMissing(owner.call.features.capabilities, question) !== undefined) onNeed('apart');
    const others = stream === undefined ? new Map(inFlight) : new Map<number, InFlightCall>();
    const answer = await askUntilAnswered(owner, { question, signal, others, inFlight });
    // A server wants roots for itself: the call that happened to be under way may have ended before there was an answer.
    const isLeft = wantsRoots && stream === undefined && answer === callEnded;
    return (isLeft ? askAside() : undefined) ?? answer;
  };
}

/** Which of its calls a client is asked in is a guess: in the one begun last, of those that say it can be asked. */
function findAskable(calls: readonly [InFlightCall, ...InFlightCall[]], question: Question): InFlightCall {
  const able = calls.findLast(({ call }) => findMissing(call.features.capabilities, question) === undefined);
  return able ?? calls.at(-1) ?? calls[0];
}

interface Guess {
  readonly question: Question;
  readonly signal: CancelSignal;
  /** The calls of the same client that the question could belong to as well. */
  readonly others: ReadonlyMap<number, InFlightCall>;
  readonly inFlight: ReadonlyInFlightMap<number, InFlightCall>;
}

/** On a pipe the call is a guess. When it ends without the server having its answer, the question was that of another one. */
async function askUntilAnswered(owner: InFlightCall, guess: Guess): Promise<Answer> {
  const { question, signal, others, inFlight } = guess;
  const answer = await owner.ask(question, signal);
  if (answer !== callEnded || signal.aborted) return answer;
  const next = [...others].findLast(([id]) => inFlight.has(id))?.[1];
  return next === undefined ? answer : askUntilAnswered(next, guess);
}

const refusals: Record<Extract<QuestionOwner<InFlightCall>, { to: 'nobody' }>['why'], RpcError> = {
  'no call': rpcError(rpcCode.invalidParams, 'The Workbench cannot ask outside of a call.'),
  'several clients': rpcError(
    rpcCode.internal,
    'The Workbench cannot tell whose question this is because several clients use this server; every client gets its own from now on: call again.',
  ),
};

/** For a server that has no call to ask in: before the handshake is over, or in an era that asks otherwise. */
export const refuseToAsk: AnswerRequest = async (method, params) => {
  const read = parseQuestion(method, params);
  return { error: 'error' in read ? read.error : refusals['no call'] };
};
