import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/base/call/call.ts';
import type { Question } from '../../src/base/call/question.ts';
import { RawJson } from '../../src/base/json/raw-json.ts';
import { labelQuestions, withLabelledQuestions } from '../../src/front/calls/label-questions.ts';
import { createSeenLinks } from '../../src/front/uris/seen-links.ts';
import type { WorkbenchView } from '../../src/workbench/view/workbench-view.ts';

const benchOf = (servers: number) =>
  ({
    config: { servers: new Map(Array.from({ length: servers }, (_, index) => [`s${index}`, {}])) },
  }) as unknown as WorkbenchView;
const form: Question = { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: {} } };

describe('questions as the client sees them', () => {
  it.each([
    [1, 'Name?'],
    [2, '[files] Name?'],
  ])('questions as the client sees them of one of %d servers: %s', async (servers, message) => {
    const asked: Question[] = [];
    const ask = async (question: Question) => {
      asked.push(question);
      return { result: {} };
    };
    const call = { ask } as unknown as Call;
    await withLabelledQuestions(benchOf(servers), 'files', call).ask(form);
    await withLabelledQuestions(benchOf(servers), 'files', call).ask({ method: 'roots/list', params: {} });
    expect(asked).toEqual([
      { ...form, params: { ...form.params, message } },
      { method: 'roots/list', params: {} },
    ]);
  });

  it('questions as the client sees them that come as an answer say who asks and keep every other byte', () => {
    const text =
      '{"requestState":"\\u00e9 1.0","inputRequests":{"__proto__":{"method":"elicitation/create","params":{"message":"Name?","n":1.0}},"s":{"method":"sampling/createMessage","params":{"message":"kept"}}}}';
    const questions = RawJson.ofText(text, JSON.parse(text));
    expect(labelQuestions(benchOf(2), 'files', questions).text).toBe(text.replace('"Name?"', '"[files] Name?"'));
    expect(labelQuestions(benchOf(1), 'files', questions)).toBe(questions);
  });
});

describe('links that servers gave', () => {
  it('links that servers gave tell who has a resource, of each session for itself, and the oldest are forgotten', () => {
    const [links, others] = [createSeenLinks(), createSeenLinks()];
    links.note('a', 'x:1');
    links.note('b', 'x:1');
    expect(links.find('x:1')).toEqual(['a', 'b']);
    expect(others.find('x:1')).toEqual([]);
    for (let index = 0; index < 5_000; index++) links.note('a', `y:${index}`);
    expect(links.find('x:1')).toEqual([]);
    expect(links.find('y:0')).toEqual(['a']);
  });
});
