import { describe, expect, it } from 'vitest';
import { parseQuestion } from '../../../src/downstream/call/parse-question.ts';
import { findUrls, withOpenable } from '../../../src/serve/edge/url-required.ts';

const bad = [
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'http://far.example/',
  'vscode://x',
  'x',
  '',
];
const good = ['https://far.example/a?b=c#d', 'http://localhost:3000/cb', 'http://127.0.0.1/', 'http://[::1]:9/'];
const ask = (url: unknown) =>
  parseQuestion('elicitation/create', { mode: 'url', message: 'Sign in', url: url as string });
const required = (...urls: string[]) => ({
  code: -32042,
  message: 'Sign in first.',
  data: { elicitations: urls.map((url, at) => ({ mode: 'url', elicitationId: `e${at}`, url, message: 'Sign in' })) },
});

describe('an address that a server wants a person to open', () => {
  it.each(good)('may be %s', (url) => {
    expect(ask(url)).toHaveProperty('question');
    expect(findUrls(required(url))).toHaveLength(1);
    expect(withOpenable(required(url))).toEqual(required(url));
  });

  it.each(bad)('may not be %j', (url) => {
    expect(ask(url)).toMatchObject({ error: { code: -32602 } });
    expect(findUrls(required(url))).toEqual([]);
    expect(withOpenable(required(url, 'https://far.example/'))).toMatchObject({
      data: { elicitations: [{ elicitationId: 'e1' }] },
    });
    expect(withOpenable(required(url))).toMatchObject({ code: -32603, message: expect.stringContaining('refused') });
  });

  it('is one, and no other value', () => {
    for (const url of [7, null, ['https://far.example/']]) expect(ask(url)).toHaveProperty('error');
    expect(parseQuestion('elicitation/create', { message: 'Your name?', requestedSchema: {} })).toHaveProperty(
      'question',
    );
  });
});
