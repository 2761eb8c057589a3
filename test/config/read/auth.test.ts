import { describe, expect, it } from 'vitest';
import { failure, parse } from '../support.ts';

const mcpServers = { files: { command: 'files' } };
const issuer = 'https://login.example/tenant/';

describe('"auth"', () => {
  it('is absent unless it is written', () => {
    expect(parse({ mcpServers }).auth).toBeUndefined();
    expect(parse({ mcpServers, auth: null }).auth).toBeUndefined();
  });

  it('needs only an issuer, which is kept letter by letter', () => {
    expect(parse({ mcpServers, auth: { issuer } }).auth).toEqual({
      issuer,
      scopes: [],
      allToolboxes: false,
      algorithms: [],
    });
  });

  it('takes everything else as written', () => {
    const auth = {
      issuer: 'http://localhost:9000',
      audience: 'workbench',
      jwksUri: 'https://login.example/keys',
      scopes: ['use', 'https://scopes.example/all'],
      allToolboxes: true,
      algorithms: ['ES256', 'EdDSA'],
    };
    expect(parse({ mcpServers, auth }).auth).toEqual(auth);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'https://login.example', 'auth must be an object, not a string'],
    ['no issuer', {}, 'auth needs "issuer"'],
    ['a misspelt issuer', { isuer: issuer }, 'did you mean "issuer"?'],
    ['an issuer that is no text', { issuer: 1 }, 'auth.issuer must be a string'],
    ['an issuer that is no address', { issuer: 'login.example' }, 'auth.issuer must be a URL'],
    ['an empty issuer', { issuer: '' }, 'auth.issuer must be a URL'],
    ['an issuer without https', { issuer: 'http://login.example' }, 'auth.issuer must begin with https://'],
    ['an issuer in a file', { issuer: 'file:///keys' }, 'auth.issuer must begin with https://'],
    ['an issuer with a password', { issuer: 'https://a:b@login.example' }, 'auth.issuer must not contain'],
    ['keys without https', { issuer, jwksUri: 'http://10.0.0.1/keys' }, 'auth.jwksUri must begin with https://'],
    ['a scope of two words', { issuer, scopes: ['a b'] }, 'auth.scopes: a scope is a word'],
    ['a scope with a quote', { issuer, scopes: ['a"'] }, 'auth.scopes: a scope is a word'],
    ['an empty scope', { issuer, scopes: [''] }, 'auth.scopes: a scope is a word'],
    ['no algorithm', { issuer, algorithms: ['none'] }, 'auth.algorithms[0] must be one of "RS256"'],
    ['a shared secret', { issuer, algorithms: ['HS256'] }, 'auth.algorithms[0] must be one of "RS256"'],
  ])('is refused with %s', (_name, auth, message) => {
    expect(failure({ mcpServers, auth }).problems.map((problem) => problem.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('does not show what a variable holds', () => {
    const file = { mcpServers, auth: { issuer: '${ISSUER}' } };
    const error = failure(file, { env: { ISSUER: 'http://secret.example' } });
    expect(JSON.stringify([error.message, error.problems])).not.toContain('secret.example');
  });
});

describe('"http.publicUrl"', () => {
  it.each(['https://bench.example', 'https://bench.example/', 'http://bench.example:8080/below'])(
    'may be %s',
    (url) => {
      expect(parse({ mcpServers, http: { publicUrl: url } }).http.publicUrl).toBe(url);
    },
  );

  it.each([
    'bench.example',
    'ftp://bench.example',
    'https://a@bench.example',
    'https://bench.example/?a',
    '',
    'https://b#c',
  ])('may not be "%s"', (url) => {
    expect(failure({ mcpServers, http: { publicUrl: url } }).problems).toMatchObject([{ path: 'http.publicUrl' }]);
  });
});
