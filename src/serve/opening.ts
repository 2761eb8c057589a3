/**
 * How a client begins: what it asks first and is answered, for whoever wants to know it the next time. A client that was answered
 * before the program was there asks here again, word for word: it is not answered twice, and what has become different is told as
 * a change. See decision 28.
 */
import type { Text } from '../base/long-text.ts';
import { notificationText } from '../base/rpc.ts';
import { changeMethod, findListedKind, kindRules } from '../front/front.ts';
import type { Message, Request } from './message.ts';
import { isModernRequest } from './modern.ts';

/** A line of the client, and the line that answers it. */
export interface Exchange {
  readonly line: string;
  readonly answer: string;
}

export interface Opening {
  /** Until the client asks for something that is no list. */
  readonly open: boolean;
  /** Of a message while it is open: what to send when this is its answer, if anything. */
  follow(line: string, message: Message): (answer: Text | undefined) => Text | undefined;
  /** What was asked and answered, in the order of the questions; nothing when it is too much to keep. It is over then and let go. */
  end(): readonly Exchange[];
}

/** More than these no client asks before it does something. */
const mostExchanges = 8;
const mostLength = 4 * 1_024 * 1_024;

/** `left`: what the client has been answered already; emptied as it asks. */
export function createOpening(left: Exchange[] = []): Opening {
  const heard: { readonly line: string; answer?: Text }[] = [];
  let length = 0;
  let asked = 0;

  const keep = (line: string) => {
    const entry: (typeof heard)[number] = { line };
    heard.push(entry);
    const grow = (more: number) => {
      length += more;
      if (length > mostLength) heard.length = 0;
    };
    grow(line.length);
    return (answer: Text) => {
      grow(answer.length);
      entry.answer = answer;
    };
  };
  const opening = {
    open: true,
    follow(line: string, message: Message) {
      if (message.kind !== 'request') return asItIs;
      opening.open = left.length > 0 || (isFirst(message) && asked < mostExchanges);
      asked++;
      if (!opening.open) return asItIs;
      const remember = keep(line);
      const before = left[0]?.line === line ? left.shift() : undefined;
      return (answer: Text | undefined) => {
        // Cancelled: there is nothing to compare, and nobody who waits.
        if (answer === undefined) return undefined;
        remember(answer);
        return before === undefined ? answer : toNews(message, before.answer === String(answer));
      };
    },
    end() {
      opening.open = left.length > 0;
      return heard
        .splice(0)
        .flatMap(({ line, answer }) => (answer === undefined ? [] : [{ line, answer: String(answer) }]));
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
