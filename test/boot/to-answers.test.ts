import { describe, expect, it } from 'vitest';
import { toAnswers } from '../../src/boot/to-answers.ts';

const ask = (method: string, id: number | string = 1) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}"}`;
const rest = (method: string) => `{"jsonrpc":"2.0","id":,"method":"${method}"}`;
const result = (value: object, id: number | string = 1) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(value)}}`;
const error = (id = 1) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"no"}}`;
const hello = { line: ask('initialize'), answer: result({ a: 1 }) };

function questions(given: ReadonlyMap<string, Buffer>): string[] {
  return [...given.keys()].map((question) => /"method":"(.*)"\}$/.exec(question)?.[1] ?? question);
}

const all = { ownTools: false, whole: true };

describe('what is kept of an opening', () => {
  it('is each question without its id and what stands behind the id of its answer', () => {
    const answers = toAnswers(
      [
        { line: ask('initialize', 7), answer: result({ text: 'grüß "id":7' }, 7) },
        { line: ask('tools/list', 'b'), answer: result({ tools: [] }, 'b') },
      ],
      all,
    );
    expect([...answers].map(([question, answer]) => [question, answer.toString()])).toEqual([
      [rest('initialize'), ',"result":{"text":"grüß \\"id\\":7"}}\n'],
      [rest('tools/list'), ',"result":{"tools":[]}}\n'],
    ]);
  });

  it('is nothing when the first question was refused or has no usual id: a client is known by it', () => {
    const list = { line: ask('tools/list'), answer: result({ tools: [] }) };
    expect(toAnswers([{ line: ask('initialize'), answer: error() }, list], all).size).toBe(0);
    expect(toAnswers([{ line: '{"id":-1,"method":"initialize"}', answer: result({}, -1) }, list], all).size).toBe(0);
    expect(toAnswers([], all).size).toBe(0);
  });

  it('is not an error, nor an answer under another id', () => {
    const given = [
      hello,
      { line: ask('tools/list'), answer: error() },
      { line: ask('prompts/list'), answer: result({}, 2) },
      { line: ask('resources/list'), answer: result({}) },
    ];
    expect(questions(toAnswers(given, all))).toEqual(['initialize', 'resources/list']);
  });

  it.each([
    [{ ttlMs: 0 }, true],
    [{}, true],
    [{ ttlMs: 1 }, false],
    [{ ttlMs: 300_000 }, false],
    [{ ttlMs: 'soon' }, false],
    [{ ttlMs: null }, false],
    [{ _meta: { ttlMs: 5 } }, true],
  ])('is a list that says %j: %s', (promise, isKept) => {
    const given = [hello, { line: ask('tools/list'), answer: result({ tools: [], ...promise }) }];
    expect(questions(toAnswers(given, all))).toEqual(isKept ? ['initialize', 'tools/list'] : ['initialize']);
  });

  it('is our own list of tools whatever it promises, and no other list that promises something', () => {
    const lists = ['tools/list', 'prompts/list'].map((method) => ({ line: ask(method), answer: result({ ttlMs: 9 }) }));
    expect(questions(toAnswers([hello, ...lists], { ownTools: true, whole: true }))).toEqual([
      'initialize',
      'tools/list',
    ]);
  });

  it('is no list of servers while nothing is known of one of them', () => {
    const lists = ['tools/list', 'prompts/list', 'resources/templates/list'].map((method) => ({
      line: ask(method),
      answer: result({}),
    }));
    const kept = (ownTools: boolean) => questions(toAnswers([hello, ...lists], { ownTools, whole: false }));
    expect(kept(true)).toEqual(['initialize', 'tools/list']);
    expect(kept(false)).toEqual(['initialize']);
  });

  it('is the last answer of a question that was asked twice', () => {
    const given = [hello, { line: ask('tools/list', 2), answer: result({ n: 1 }, 2) }];
    const answers = toAnswers([...given, { line: ask('tools/list', 3), answer: result({ n: 2 }, 3) }], all);
    expect(answers.get(rest('tools/list'))?.toString()).toBe(',"result":{"n":2}}\n');
  });
});
