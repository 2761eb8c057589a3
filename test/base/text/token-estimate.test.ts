import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/base/text/token-estimate.ts';

describe('the estimate of tokens', () => {
  // Counted with o200k.
  it.each([
    [
      57,
      '{"name":"create_issue","description":"Create a new issue in a GitHub repository","inputSchema":{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"title":{"type":"string"}},"required":["owner","repo","title"]}}',
    ],
    [
      27,
      'Reads the complete contents of a file from the file system as text. Fails when the path is a directory or does not exist.',
    ],
    [22, 'slack.slack_post_message(channel_id:string, text:string) — Post a new message to a Slack channel'],
    [45, '2026-11-16T06:44:55.120Z INFO [worker-3] request 9f3ac81b took 182 ms status=200 path=/api/v1/users/48213'],
    [24, 'export function estimateTokens(text: string): number {\n  let tokens = 0;\n  return Math.ceil(tokens);\n}\n'],
    [18, '这个工具在仓库中创建一个新的问题，并返回它的编号和地址。'],
    [19, 'Этот инструмент создаёт новую задачу в репозитории и возвращает её номер и адрес.'],
  ])('is within 15 %% of the %i tokens that a tokenizer counts: %s', (counted, text) => {
    expect(Math.abs(estimateTokens(text) - counted) / counted).toBeLessThan(0.15);
  });

  it('is 0 for an empty text and never negative or fractional for others', () => {
    expect(estimateTokens('')).toBe(0);
    for (const text of [' ', '\n', '\0', '"', '9', 'A', '\ud800', '\u200f', 'aB9_ \r\n🚀é漢'])
      expect(estimateTokens(text), JSON.stringify(text)).toBe(Math.max(0, Math.ceil(estimateTokens(text))));
  });

  it('grows with each word that is added', () => {
    const words = Array.from({ length: 50 }, (_, index) => `word${index}`);
    const estimates = words.map((_, index) => estimateTokens(words.slice(0, index + 1).join(' ')));
    expect(estimates).toEqual([...estimates].sort((a, b) => a - b));
    expect(new Set(estimates).size).toBe(50);
  });
});
