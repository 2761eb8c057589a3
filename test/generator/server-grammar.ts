/** What a server may send: answers to what it was asked, news, questions of its own, right and wrong. */
import { disturb, type Members } from './mutate.ts';
import type { Random } from './random.ts';
import { textOfObject, textOfString, textOfValue } from './values.ts';

const notifications = [
  ...['progress', 'progress', 'progress', 'message', 'message', 'tools/list_changed', 'prompts/list_changed'],
  ...['resources/list_changed', 'resources/updated', 'cancelled', 'initialized', 'subscriptions/acknowledged'],
  ...['vendor', '__proto__', ''],
];
const questions = ['ping', 'ping', 'roots/list', 'sampling/createMessage', 'elicitation/create', '__proto__', ''];

export interface ServerGrammar {
  /** The bytes of one message; `open` are the ids of requests that wait for an answer. */
  next(open: readonly number[]): Buffer;
}

export function createServerGrammar(random: Random): ServerGrammar {
  let asked = 0;
  const idOf = (open: readonly number[]) =>
    random.oneIn(3) || open.length === 0
      ? random.pick([textOfValue(random, 1), String(random.int(1_000_000)), 'null'])
      : random.pick([String(random.pick(open)), `"${random.pick(open)}"`, `${random.pick(open)}.0`]);

  const result = () => {
    if (random.oneIn(4)) return textOfValue(random);
    const content = random.oneIn(3) ? textOfValue(random) : `[{"type":"text","text":${textOfString(random)}}]`;
    const type = random.oneIn(4) ? `"resultType":${random.pick(['"complete"', textOfValue(random)])},` : '';
    const meta = random.oneIn(4) ? `"_meta":${textOfValue(random)},` : '';
    return `{${type}${meta}"content":${content}}`;
  };
  const failure = () =>
    random.oneIn(3)
      ? textOfValue(random)
      : `{"code":${random.pick(['-32603', '-32022', textOfValue(random, 1)])},"message":${textOfString(random)}}`;
  const answer = (open: readonly number[]): Members => {
    const id = ['id', idOf(open)] as const;
    const version = ['jsonrpc', '"2.0"'] as const;
    if (random.oneIn(6)) return [version, id, ['error', failure()]];
    if (random.oneIn(10)) return [version, id, ['error', failure()], ['result', result()]];
    return random.oneIn(2) ? [version, id, ['result', result()]] : [['result', result()], version, id];
  };
  const notification = (open: readonly number[]): Members => {
    const method = random.pick(notifications);
    const token = random.oneIn(4) || open.length === 0 ? textOfValue(random, 1) : String(random.pick(open));
    const params = new Map([
      ['progress', `{"progressToken":${token},"progress":${random.oneIn(5) ? textOfValue(random) : '1'}}`],
      ['message', `{"level":${random.pick(['"info"', '"error"', textOfValue(random)])},"data":${textOfValue(random)}}`],
      ['cancelled', `{"requestId":${token}}`],
    ]).get(method);
    return [
      ['jsonrpc', '"2.0"'],
      ['method', JSON.stringify(`notifications/${method}`)],
      ['params', params === undefined || random.oneIn(6) ? textOfObject(random) : params],
    ];
  };
  const question = (): Members => [
    ['jsonrpc', '"2.0"'],
    ['id', random.oneIn(8) ? textOfValue(random, 1) : `"q${++asked}"`],
    ['method', JSON.stringify(random.pick(questions))],
    ['params', textOfObject(random)],
  ];

  return {
    next(open) {
      // Most answers are to nobody: what is open would be gone too soon.
      const kind = random.int(20);
      const members = kind === 0 ? answer(open) : kind < 6 ? answer([]) : kind < 14 ? notification(open) : question();
      return disturb(random, members);
    },
  };
}
