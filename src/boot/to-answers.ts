/** From what a client asked and was answered to what is kept of it. */
import type { FirstExchange } from '../base/first-exchange.ts';
import { findMember, findObject, parseObject } from '../base/json.ts';
import { cutId } from './cut-id.ts';
import { type Answers, answerHead } from './opening-file.ts';

export interface AnswersOptions {
  /** The list of tools is of the Workbench itself, so what is promised of it does not run out. */
  readonly ownTools: boolean;
  /** Something is known of every server. */
  readonly whole: boolean;
}

export function toAnswers(exchanges: readonly FirstExchange[], { ownTools, whole }: AnswersOptions): Answers {
  const answers = new Map<string, Buffer>();
  for (const { line, answer } of exchanges) {
    const asked = cutId(line);
    const head = `${answerHead}${asked?.id}`;
    const isResult = asked !== undefined && answer.startsWith(`${head},"result":`);
    const isOwn = ownTools && asked?.method === 'tools/list';
    // For a server that nothing is known of, the next start has to wait.
    const isReady = isOwn || whole || asked?.method.endsWith('/list') !== true;
    if (isResult && isReady && (isOwn || isLasting(answer)))
      answers.set(asked.rest, Buffer.from(`${answer.slice(head.length)}\n`));
    // Whoever begins otherwise is not known by what comes later.
    else if (answers.size === 0) break;
  }
  return answers;
}

/** A promise for a time is another one every time. */
function isLasting(answer: string): boolean {
  const result = findObject(parseObject(answer) ?? {}, 'result') ?? {};
  const promised = findMember(result, 'ttlMs');
  return promised === undefined || promised === 0;
}
