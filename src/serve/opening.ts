/**
 * How a client begins: what it asks before it does anything, for whoever wants to know it the next time. A client that was answered
 * before the program was there asks here again, word for word: it is not answered twice, and what has become different is told as
 * a change. See decision 28.
 */
import { type FirstExchange, mostFirst } from '../base/first-exchange.ts';
import type { Text } from '../base/long-text.ts';
import { notificationText } from '../base/rpc.ts';
import { changeMethod, findListedKind, kindRules } from '../front/front.ts';
import type { Message, Request } from './message.ts';
import { isModernRequest } from './modern.ts';

export interface Opening {
  /** Until the client asks for something that is no list. */
  readonly open: boolean;
  /** What it has asked, in lines. */
  readonly questions: readonly string[];
  /** Of a message while it is open: what to send when this is its answer, if anything. */
  follow(line: string, message: Message): (answer: Text | undefined) => Text | undefined;
}

const mostLength = 64 * 1_024;

/** `left`: what the client has been answered already; emptied as it asks. */
export function createOpening(left: FirstExchange[] = []): Opening {
  const questions: string[] = [];
  let length = 0;
  let asked = 0;

  const opening = {
    open: true,
    questions,
    follow(line: string, message: Message) {
      if (message.kind !== 'request') return asItIs;
      opening.open = left.length > 0 || (isFirst(message) && asked < mostFirst);
      asked++;
      length += line.length;
      if (!opening.open) return asItIs;
      if (length <= mostLength) questions.push(line);
      const before = left[0]?.line === line ? left.shift() : undefined;
      if (before === undefined) return asItIs;
      return (answer: Text | undefined) =>
        // Cancelled: there is nothing to compare, and nobody who waits.
        answer === undefined ? undefined : toNews(message, before.answer === String(answer));
    },
  };
  return opening;
}

function asItIs(answer: Text | undefined): Text | undefined {
  return answer;
}

function isFirst({ method }: Request): boolean {
  return method === 'initialize' || method === 'server/discover' || findListedKind(method) !== undefined;
}

/** To a client that has an answer. One that did not shake hands asks for news when it wants them. */
function toNews(request: Request, isSame: boolean): string | undefined {
  const kind = findListedKind(request.method);
  if (isSame || kind === undefined || isModernRequest(request)) return undefined;
  return notificationText(changeMethod(kindRules[kind].capability), {});
}
