import { describe, expect, it } from 'vitest';
import { toNetworkFailure, toStatusFailure } from '../../../src/downstream/http/failure.ts';

const place = { server: 'far', url: new URL('https://user:pw-canary@far.example/mcp?key=query-canary') };

describe('a failure on the way to a server', () => {
  const failed = (code: string, syscall?: string) => Object.assign(new Error('body-canary'), { code, syscall });

  it.each([
    [failed('ENOTFOUND', 'getaddrinfo'), 'WB1302', 'far.example'],
    [failed('EAI_AGAIN', 'getaddrinfo'), 'WB1302', 'EAI_AGAIN'],
    [failed('CERT_HAS_EXPIRED'), 'WB1303', 'has expired'],
    [failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'WB1303', 'self-signed'],
    [failed('ERR_TLS_CERT_ALTNAME_INVALID'), 'WB1303', 'another host'],
    [failed('EPROTO', 'write'), 'WB1303', 'does not speak TLS'],
    [failed('ECONNREFUSED', 'connect'), 'WB1305', 'nothing listens'],
    [new AggregateError([failed('ECONNREFUSED', 'connect')]), 'WB1305', 'nothing listens'],
    [failed('ECONNRESET', 'read'), 'WB1305', 'broke'],
    [failed('ETIMEDOUT', 'read'), 'WB1305', 'broke'],
    ['odd', 'WB1305', 'unknown reason'],
  ])('%s is %s and says "%s", and nothing that is secret', (error, code, words) => {
    const failure = toNetworkFailure(place, error);
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(words);
    expect(`${failure.message}${failure.fix}`).not.toContain('canary');
  });

  it.each([
    [401, 'WB1201', 'mcp-workbench auth login far'],
    [403, 'WB1203', 'mcp-workbench auth login'],
    [404, 'WB1306', '/mcp'],
    [405, 'WB1306', '/mcp'],
    [429, 'WB1307', 'Try again'],
    [503, 'WB1307', 'Try again'],
  ])('as status %i is %s with the advice "%s"', (status, code, advice) => {
    const failure = toStatusFailure(place, status);
    expect(failure.code).toBe(code);
    expect(failure.fix).toContain(advice);
    expect(failure.message).not.toContain('canary');
  });
});
