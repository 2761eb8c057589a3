/** Puts the questions of a server to the client they belong to, and refuses those that cannot be anybody's for certain. */
import { findMember } from '../base/json.ts';
import type { ReadonlyOpenMap } from '../base/open-map.ts';
import type { Answer, Question } from '../base/question.ts';
import { type RpcError, rpcCode, rpcError } from '../base/rpc.ts';
import type { StopSignal } from '../base/stop.ts';
import { type AskRoute, routeQuestion } from './ask-route.ts';
import type { Callers } from './callers.ts';
import type { Elicitations } from './elicitations.ts';
import type { OpenCall } from './open-call.ts';
import { callEnded } from './put-question.ts';
import type { AnswerRequest } from './server-requests.ts';
import { findRelatedTask, type LiveTasks } from './tasks/live-tasks.ts';
import { toQuestion } from './to-question.ts';

/** What is known of a connection beyond the calls made on it. */
export interface Questions {
  /** Only one client can use the connection, now and later, so that whatever the server asks or says is for that one. */
  isExclusive(): boolean;
  /** Asks that client outside of any call; undefined when it cannot be asked. */
  background(question: Question, signal: StopSignal): Promise<Answer> | undefined;
  /** A question was refused because several clients, or calls that are not of one session, use the connection. */
  onUncertain(question: Question): void;
}

export interface AskerParts {
  readonly questions: Questions;
  readonly inFlight: ReadonlyOpenMap<number, OpenCall>;
  readonly callers: Callers;
  readonly elicitations: Elicitations;
  readonly tasks: LiveTasks;
}

export function createAsker({ questions, inFlight, callers, elicitations, tasks }: AskerParts): AnswerRequest {
  return async (method, params, { stream, signal }) => {
    const read = toQuestion(method, params);
    if ('error' in read) return read;
    const { question } = read;
    const several = callers.several && !questions.isExclusive();
    // A question that names its task belongs to the call that drives it, whoever else calls.
    const task = findRelatedTask(params);
    // The answer that made the task may have come just before, and be on its way to whoever waits for it.
    if (task !== undefined && !tasks.byId.has(task)) await new Promise((resolve) => setImmediate(resolve));
    const owner = task === undefined ? undefined : tasks.byId.get(task)?.open;
    const route: AskRoute<OpenCall> =
      owner === undefined ? routeQuestion({ stream, inFlight, several }) : { to: 'call', owner };
    if (route.to === 'nobody') {
      // Roots are asked for on a server's own account; nothing is gained by keeping clients apart for that.
      if (route.why !== 'no call' && question.method !== 'roots/list') questions.onUncertain(question);
      return { error: refusals[route.why] };
    }
    elicitations.remember(findMember(question.params, 'elicitationId'), findClient(route) ?? callers.only);
    // A server wants them for itself: they must not go with a call that happens to be under way.
    const alone = stream === undefined && question.method === 'roots/list' && questions.isExclusive();
    const asked = alone ? questions.background(question, signal) : undefined;
    if (asked !== undefined) return asked;
    if (route.to === 'call') {
      const others = stream === undefined ? new Map(inFlight) : new Map<number, OpenCall>();
      return askUntilAnswered(route.owner, { question, signal, others, inFlight });
    }
    return questions.background(question, signal) ?? { error: refusals['no call'] };
  };
}

interface Guess {
  readonly question: Question;
  readonly signal: StopSignal;
  /** The calls of the same client that the question could belong to as well. */
  readonly others: ReadonlyMap<number, OpenCall>;
  readonly inFlight: ReadonlyOpenMap<number, OpenCall>;
}

/** On a pipe the call is a guess. When it ends without the server having its answer, the question was that of another one. */
async function askUntilAnswered(owner: OpenCall, guess: Guess): Promise<Answer> {
  const { question, signal, others, inFlight } = guess;
  const answer = await owner.ask(question, signal);
  if (answer !== callEnded || signal.aborted) return answer;
  const next = [...others].findLast(([id]) => inFlight.has(id))?.[1];
  return next === undefined ? answer : askUntilAnswered(next, guess);
}

function findClient(route: AskRoute<OpenCall>) {
  return route.to === 'call' ? route.owner.call.client : undefined;
}

const refusals: Record<Extract<AskRoute<OpenCall>, { to: 'nobody' }>['why'], RpcError> = {
  'no call': rpcError(rpcCode.invalidParams, 'The Workbench cannot ask outside of a call.'),
  'several calls': rpcError(
    rpcCode.internal,
    'The Workbench cannot tell which of several calls this question belongs to; calls are kept apart from now on: call again.',
  ),
  'several clients': rpcError(
    rpcCode.internal,
    'The Workbench cannot tell whose question this is because several clients use this server; every client gets its own from now on: call again.',
  ),
};

/** For a server that has no call to ask in: before the handshake is over, or in an era that asks otherwise. */
export const refuseToAsk: AnswerRequest = async (method, params) => {
  const read = toQuestion(method, params);
  return { error: 'error' in read ? read.error : refusals['no call'] };
};
