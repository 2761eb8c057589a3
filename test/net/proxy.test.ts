import { describe, expect, it } from 'vitest';
import { findProxy } from '../../src/net/proxy.ts';

const find = (url: string, env: Record<string, string>) => findProxy(new URL(url), env)?.href;

describe('the proxy for an address', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['https://a.example/', {}, undefined],
    ['https://a.example/', { HTTPS_PROXY: '' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://a.example/', { HTTPS_PROXY: 'p.example:3128' }, 'http://p.example:3128/'],
    ['https://a.example/', { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1' }, 'http://low:1/'],
    ['https://a.example/', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['https://a.example/', { ALL_PROXY: 'http://all:1' }, 'http://all:1/'],
    ['https://a.example/', { all_proxy: 'http://all:1', HTTPS_PROXY: 'https://p' }, 'https://p/'],
    ['http://a.example/', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ])('of %s with %j is %s', (url, env, proxy) => expect(find(url, env)).toBe(proxy));

  it.each([
    ['*', 'https://a.example/', true],
    ['a.example', 'https://a.example/', true],
    ['A.Example', 'https://a.example/', true],
    ['.example', 'https://a.example/', true],
    ['*.example', 'https://a.example/', true],
    ['example', 'https://a.example/', true],
    ['x, a.example', 'https://a.example/', true],
    ['x a.example', 'https://a.example./', true],
    ['a.example:443', 'https://a.example/', true],
    ['a.example:8443', 'https://a.example/', false],
    ['ample', 'https://a.example/', false],
    ['b.a.example', 'https://a.example/', false],
    ['10.0.0.1', 'https://10.0.0.1/', true],
    ['::1', 'https://[::1]/', true],
    ['[::1]', 'https://[::1]/', true],
    ['', 'https://a.example/', false],
    [',', 'https://a.example/', false],
  ])('is none where NO_PROXY "%s" names %s: %s', (list, url, exempt) => {
    expect(find(url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: list }) === undefined).toBe(exempt);
  });

  it.each(['socks5://p:1', 'http://', '://', 'ftp://p'])('stops everything when it cannot be used: %s', (text) => {
    expect(() => find('https://a.example/', { HTTPS_PROXY: text })).toThrow(
      'the proxy in the variable HTTPS_PROXY is not an http or https address',
    );
  });
});
