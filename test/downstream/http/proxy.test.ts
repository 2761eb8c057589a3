import { describe, expect, it } from 'vitest';
import { findServerProxy } from '../../../src/downstream/http/proxy.ts';

describe('the proxy of a server', () => {
  const env = { HTTP_PROXY: 'http://plain.example:1', https_proxy: 'http://us%40er:p%3Aw@secure.example:2' };

  it.each([
    ['http://far.example/mcp', env, 'http://plain.example:1/', undefined],
    ['https://far.example/mcp', env, 'http://secure.example:2/', 'us@er:p:w'],
    ['https://far.example/mcp', { ALL_PROXY: 'all.example:3' }, 'http://all.example:3/', undefined],
    ['http://localhost:8080/mcp', env, undefined, undefined],
    ['http://127.0.0.1/mcp', env, undefined, undefined],
    ['http://[::1]/mcp', env, undefined, undefined],
    ['https://a.far.example/mcp', { ...env, NO_PROXY: 'x, .far.example' }, undefined, undefined],
    ['https://far.example/mcp', { ...env, no_proxy: 'far.example:8443' }, 'http://secure.example:2/', 'us@er:p:w'],
    ['https://far.example/mcp', {}, undefined, undefined],
  ])('for %s with %o is %s', (url, variables, expected, pair) => {
    const proxy = findServerProxy(new URL(url), variables);
    expect(proxy?.url.href).toBe(expected);
    const told = proxy?.authorization?.slice('Basic '.length);
    expect(told === undefined ? undefined : Buffer.from(told, 'base64').toString()).toBe(pair);
  });

  it('must be one that can be used', () => {
    const find = () => findServerProxy(new URL('https://far.example'), { HTTPS_PROXY: 'socks5://u:pw-canary@h:1' });
    expect(find).toThrow(expect.objectContaining({ code: 'WB1304' }));
    expect(find).not.toThrow(/canary/);
  });
});
