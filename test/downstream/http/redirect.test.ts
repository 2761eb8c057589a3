import { describe, expect, it } from 'vitest';
import { planRedirect } from '../../../src/downstream/http/redirect.ts';

const place = { server: 'far', url: new URL('https://user:pw-canary@far.example/mcp?key=query-canary') };

describe('a redirect', () => {
  it.each([
    ['POST', 307, '/other', 'https://far.example/other'],
    ['POST', 308, 'https://far.example/other', 'https://far.example/other'],
    ['GET', 301, '/other', 'https://far.example/other'],
    ['GET', 302, '/other', 'https://far.example/other'],
    ['GET', 308, '/other', 'https://far.example/other'],
    ['POST', 200, '/other', undefined],
    ['POST', 304, '/other', undefined],
  ])('of %s with status %i to %s leads to %s', (method, status, location, expected) => {
    const next = planRedirect(place, { method, status, location, followed: 0 });
    expect(next === undefined ? undefined : `${next.origin}${next.pathname}`).toBe(expected);
  });

  it.each([
    ['POST', 301, '/other', 0, 'status 301'],
    ['POST', 302, '/other', 0, 'status 302'],
    ['POST', 303, '/other', 0, 'status 303'],
    ['GET', 303, '/other', 0, 'status 303'],
    ['POST', 307, 'http://far.example/mcp', 0, 'http://far.example'],
    ['POST', 307, 'https://far.example:444/mcp', 0, 'https://far.example:444'],
    ['POST', 307, '//evil.example/mcp?token=query-canary', 0, 'https://evil.example'],
    ['GET', 308, 'file:///etc/passwd', 0, 'file:'],
    ['POST', 307, undefined, 0, 'without a valid address'],
    ['POST', 307, 'http://[', 0, 'without a valid address'],
    ['POST', 308, '/other', 3, 'more than 3 times'],
  ])('of %s with status %i to %s after %i others is refused: %s', (method, status, location, followed, words) => {
    const follow = () => planRedirect(place, { method, status, location, followed });
    expect(follow).toThrow(expect.objectContaining({ code: 'WB1312' }));
    expect(follow).toThrow(words);
    expect(follow).not.toThrow(/canary/);
  });
});
