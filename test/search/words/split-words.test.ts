import { describe, expect, it } from 'vitest';
import { forEachToken, splitToken } from '../../../src/search/words/split-words.ts';

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  forEachToken(text, (token) => {
    tokens.push(token);
    return true;
  });
  return tokens;
}

describe('words of a text', () => {
  it.each([
    ['createPullRequest', ['create', 'pull', 'request'], 'createpullrequest'],
    ['list-issues', ['list', 'issues'], 'listissues'],
    ['slack_post_message_now', ['slack', 'post', 'message', 'now'], undefined],
    ['GitHub', ['git', 'hub'], 'github'],
    ['to-do', ['to', 'do'], 'todo'],
    ['HTTPServer', ['http', 'server'], 'httpserver'],
    ['TwilioApiV2010--CreateMessage', ['twilio', 'api', 'v', '2010', 'create', 'message'], undefined],
    ['s3', ['s', '3'], 's3'],
    ["don't", ['dont'], undefined],
    ['plain', ['plain'], undefined],
  ])('%s is split at the borders that its writer used', (token, parts, joined) => {
    expect(splitToken(token)).toEqual({ parts, joined });
  });

  it('ignores hidden characters and accents, and reads every script', () => {
    expect(tokensOf('se\u200bnd a caf\u00e9')).toEqual(['send', 'a', 'cafe']);
    expect(tokensOf('\u202eשלח הודעה\u202c')).toEqual(['שלח', 'הודעה']);
    expect(splitToken('发送邮件').parts).toEqual(['发送', '送邮', '邮件']);
  });

  it('cuts runs without an end, and stops when it is told to', () => {
    expect(tokensOf('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)]);
    let seen = 0;
    forEachToken('a b c d', () => ++seen < 2);
    expect(seen).toBe(2);
  });
});
