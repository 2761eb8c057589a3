import { createHmac } from 'node:crypto';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, importJWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/base/async/clock.ts';
import { WorkbenchError } from '../../../../src/base/errors/errors.ts';
import { createLog } from '../../../../src/base/text/log.ts';
import { createRedactor } from '../../../../src/base/text/redact.ts';
import { createGuardedFetch } from '../../../../src/net/guarded-fetch.ts';
import type { AuthVerdict } from '../../../../src/serve/http/auth/authenticator.ts';
import {
  createJwtAuthenticator,
  type JwtAuthenticatorOptions,
} from '../../../../src/serve/http/auth/jwt-authenticator.ts';
import { createKey, type FakeIssuer, type SigningKey, sign, startIssuer } from '../fake-issuer.ts';

const origin = 'https://bench.example';
const now = 1_800_000_000;
let issuer: FakeIssuer;
let key: SigningKey;
let rsa: SigningKey;
let nowMs: number;
let lines: string[];
const clock: Clock = { now: () => nowMs, after: () => () => {} };

beforeAll(async () => {
  [issuer, key, rsa] = await Promise.all([startIssuer(), createKey('one'), createKey('two', 'RS256')]);
});
afterAll(() => issuer.close());
beforeEach(() => {
  nowMs = now * 1_000;
  lines = [];
  issuer.asked.length = 0;
  issuer.keys = [key.jwk, rsa.jwk];
  issuer.discovery = {};
  issuer.failWith = undefined;
});

function create(more: Partial<JwtAuthenticatorOptions> = {}) {
  return createJwtAuthenticator({
    issuer: issuer.issuer,
    scopes: [],
    algorithms: [],
    clockToleranceSec: 5,
    toolboxes: () => ['writing', 'code'],
    fetch: createGuardedFetch({ allowLoopbackHttp: [issuer.issuer], env: {} }),
    clock,
    log: createLog({ level: 'debug', redactor: createRedactor(), write: (line) => lines.push(line) }),
    ...more,
  });
}

const good = () => ({
  iss: issuer.issuer,
  sub: 'ann',
  aud: `${origin}/mcp`,
  exp: now + 60,
  scope: 'toolbox:writing',
});

async function ask(
  token: string | undefined,
  { path = '/mcp', with: authenticator = create() } = {},
): Promise<AuthVerdict> {
  const headers = token === undefined ? {} : { authorization: token };
  return await authenticator.authenticate({ headers, path, origin });
}

async function askWith(claims: object, header: object = {}, options: Parameters<typeof ask>[1] = {}) {
  return await ask(`Bearer ${await sign({ ...good(), ...claims }, key, header)}`, options);
}

const status = (verdict: AuthVerdict) => ('principal' in verdict ? 200 : verdict.status);
const challenge = (verdict: AuthVerdict) => ('principal' in verdict ? '' : verdict.challenge);
const toolboxes = (verdict: AuthVerdict) => ('principal' in verdict ? [...(verdict.principal.toolboxes ?? ['*'])] : []);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token that the issuer made for this endpoint', () => {
  it.each<[string, object, object?]>([
    ['as it is', {}],
    ['with several audiences', { aud: ['https://other.example', `${origin}/mcp`] }],
    ['with an audience in other letters', { aud: 'HTTPS://Bench.Example/mcp/' }],
    ['that expired within the tolerance', { exp: now - 4 }],
    ['that begins within the tolerance', { nbf: now + 4 }],
    ['of the plain type', {}, { typ: 'JWT' }],
    ['without a type', {}, { typ: undefined }],
    ['with a type in its long form', {}, { typ: 'application/at+jwt' }],
    ['without the name of its key', {}, { kid: undefined }],
    ['with its scopes in a list', { scope: ['toolbox:writing'] }],
    ['with its scopes in scp', { scope: undefined, scp: ['toolbox:writing'] }],
    ['with its scopes in scp as words', { scope: undefined, scp: 'openid toolbox:writing' }],
    ['of a program instead of a person', { sub: undefined, client_id: 'robot' }],
  ])('is accepted %s', async (_name, claims, header = {}) => {
    expect(await askWith(claims, header)).toMatchObject({ principal: { id: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });

  it('is accepted with any algorithm that the key set has a key for', async () => {
    expect(status(await ask(`bearer ${await sign(good(), rsa)}`))).toBe(200);
  });

  it('is accepted without the name of its key when several keys fit', async () => {
    const second = await createKey('three');
    issuer.keys = [key.jwk, second.jwk];
    expect(status(await ask(`Bearer ${await sign(good(), second, { kid: undefined })}`))).toBe(200);
  });

  it('is accepted for the configured audience', async () => {
    expect(status(await askWith({ aud: 'workbench' }, {}, { with: create({ audience: 'workbench' }) }))).toBe(200);
  });

  it('belongs to the same principal whatever else it says, and to another for another person', async () => {
    const id = async (claims: object) => {
      const verdict = await askWith(claims);
      return 'principal' in verdict ? verdict.principal.id : undefined;
    };
    const ann = await id({});
    expect(await id({ exp: now + 99, scope: 'toolbox:code' })).toBe(ann);
    expect(await id({ sub: 'bob' })).not.toBe(ann);
    expect(await id({ sub: undefined, client_id: 'ann' })).not.toBe(ann);
    expect(ann).not.toContain('ann');
  });
});

describe('any other token', () => {
  it.each<[string, object, object?]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without an issuer', { iss: undefined }],
    ['for another resource', { aud: 'https://other.example/mcp' }],
    ['for a toolbox endpoint only', { aud: `${origin}/mcp/writing` }],
    ['for the whole host', { aud: origin }],
    ['for nobody', { aud: undefined }],
    ['for an empty list', { aud: [] }],
    ['for something that is no text', { aud: [1, null] }],
    ['that expired', { exp: now - 6 }],
    ['that never expires', { exp: undefined }],
    ['that expires at no time', { exp: 'tomorrow' }],
    ['that is not valid yet', { nbf: now + 6 }],
    ['that says nothing about its subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['that proves a sign-in', { at_hash: 'x' }],
    ['that is bound to a key', { cnf: { jkt: 'x' } }],
    ['that announces a logout', {}, { typ: 'logout+jwt' }],
    ['that is a proof', {}, { typ: 'dpop+jwt' }],
    ['of an unknown key', {}, { kid: 'nobody' }],
    ['that names the key of another algorithm', {}, { kid: 'two' }],
  ])('is refused: %s', async (_name, claims, header = {}) => {
    const verdict = await askWith(claims, header);
    expect(verdict).toMatchObject({ status: 401, message: 'The token was not accepted. Get a new one.' });
    expect(challenge(verdict)).toMatch(/^Bearer error="invalid_token", resource_metadata="/);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['empty', () => ''],
    ['no token', () => 'abc'],
    ['two of them', async () => `${await sign(good(), key)}, Bearer ${await sign(good(), key)}`],
    ['four parts', async () => `${await sign(good(), key)}.x`],
    ['not encoded', () => '{"alg":"none"}.{}.x'],
    ['unsigned', () => `${part({ alg: 'none' })}.${part(good())}.`],
    ['unsigned with something as signature', () => `${part({ alg: 'none' })}.${part(good())}.AAAA`],
    ['of a header that is no object', () => `${part([])}.${part(good())}.AAAA`],
    ['with a huge claim', () => sign({ ...good(), padding: 'x'.repeat(20_000) }, key)],
    ['with a changed signature', async () => `${(await sign(good(), key)).slice(0, -8)}AAAAAAAA`],
    [
      'with changed claims',
      async () => {
        const [head, , tail] = (await sign({ ...good(), sub: 'bob' }, key)).split('.');
        return `${head}.${part(good())}.${tail}`;
      },
    ],
    ['signed by somebody with the name of our key', async () => sign(good(), { ...(await createKey('one')) })],
    [
      'that brings its own key',
      async () => {
        const own = await createKey('own');
        return sign(good(), own, { kid: 'own', jwk: own.jwk, jku: 'https://evil.example/keys' });
      },
    ],
    [
      'that must be understood in an unknown way',
      async () => `${part({ alg: 'ES256', kid: 'one', crit: ['x'], x: 1 })}.${part(good())}.AAAA`,
    ],
    [
      'signed with the public key as if that were a secret',
      async () => {
        const spki = await exportSPKI((await importJWK(rsa.jwk, 'RS256', { extractable: true })) as CryptoKey);
        const text = `${part({ alg: 'HS256', kid: 'two', typ: 'at+jwt' })}.${part(good())}`;
        return `${text}.${createHmac('sha256', spki).update(text).digest('base64url')}`;
      },
    ],
  ])('is refused: %s', async (_name, make) => {
    const verdict = await ask(`Bearer ${await make()}`);
    expect([status(verdict), challenge(verdict)]).toEqual([
      401,
      `Bearer error="invalid_token", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    ]);
  });

  it('is refused when it spells the issuer with a slash more', async () => {
    expect(status(await askWith({ iss: `${issuer.issuer}/` }))).toBe(401);
  });

  it('is refused with an algorithm that is not allowed, even when the key set has its key', async () => {
    const verdict = await ask(`Bearer ${await sign(good(), rsa)}`, { with: create({ algorithms: ['ES256'] }) });
    expect(status(verdict)).toBe(401);
  });

  it.each(['none', 'HS256', 'HS512', 'dir'])('cannot be made acceptable by allowing the algorithm %s', (algorithm) => {
    expect(() => create({ algorithms: ['ES256', algorithm] })).toThrow(WorkbenchError);
  });

  it('leaves nothing of itself in the log or the answer', async () => {
    const token = await sign({ ...good(), aud: 'https://canary.example', sub: 'canary' }, key);
    const said = JSON.stringify([await ask(`Bearer ${token}`), lines]);
    expect(lines).toHaveLength(1);
    for (const piece of [...token.split('.'), 'canary']) expect(said).not.toContain(piece);
  });
});

describe('a request without a token', () => {
  it.each<[string, string | undefined]>([
    ['no header', undefined],
    ['another scheme', 'Basic YW5uOmFubg=='],
    ['a word that begins alike', 'Bearers abc'],
  ])('is told where to get one, with no error: %s', async (_name, header) => {
    const verdict = await ask(header, { with: create({ scopes: ['use'] }) });
    expect(verdict).toMatchObject({
      status: 401,
      challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="use"`,
    });
    expect(issuer.asked).toEqual([]);
  });

  it('is told the scope of the toolbox at its endpoint, whether there is one or not', async () => {
    expect(challenge(await ask(undefined, { path: '/mcp/code' }))).toContain('/mcp/code", scope="toolbox:code"');
    expect(challenge(await ask(undefined, { path: '/mcp/ghost' }))).toContain('/mcp/ghost", scope="toolbox:ghost"');
  });

  it('cannot write into the challenge by its path', async () => {
    expect(challenge(await ask(undefined, { path: '/mcp/a", x="\\' }))).toBe(
      `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp/a%22%2C%20x%3D%22%5C", scope="toolbox:a%22%2C%20x%3D%22%5C"`,
    );
  });

  it('is told nothing of scopes when none are needed', async () => {
    const verdict = await ask(undefined, { with: create({ allToolboxes: true }) });
    expect(challenge(verdict)).toBe(`Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`);
  });
});

describe('the scopes of a token', () => {
  it.each<[string, string[]]>([
    ['toolbox:writing', ['writing']],
    ['toolbox:code toolbox:writing', ['writing', 'code']],
    ['toolbox:code toolbox:ghost toolbox:* openid', ['code']],
  ])('open the toolboxes there are: %s', async (scope, names) => {
    expect(toolboxes(await askWith({ scope }))).toEqual(names);
  });

  it.each(['', 'openid', 'toolbox:ghost', 'toolbox:', 'toolbox:*', 'Toolbox:writing', 'toolbox:writing,code'])(
    'must open one toolbox at least at the endpoint of all: "%s" is asked for more',
    async (scope) => {
      expect(await askWith({ scope })).toMatchObject({
        status: 403,
        challenge: `Bearer error="insufficient_scope", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="toolbox:writing toolbox:code"`,
      });
    },
  );

  it('must be those of the toolbox at its own endpoint', async () => {
    const aud = [`${origin}/mcp/writing`, `${origin}/mcp/code`];
    expect(toolboxes(await askWith({ aud }, {}, { path: '/mcp/writing' }))).toEqual(['writing']);
    const verdict = await askWith({ aud }, {}, { path: '/mcp/code' });
    expect([status(verdict), challenge(verdict)]).toEqual([
      403,
      `Bearer error="insufficient_scope", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp/code", scope="toolbox:code"`,
    ]);
  });

  it('must have all that every request needs, and the answer names everything at once', async () => {
    const authenticator = create({ scopes: ['use', 'more'] });
    const options = { path: '/mcp/writing', with: authenticator };
    const aud = `${origin}/mcp/writing`;
    const verdict = await askWith({ aud, scope: 'use toolbox:writing' }, {}, options);
    expect([status(verdict), challenge(verdict).split(', ').at(-1)]).toEqual([403, 'scope="use more toolbox:writing"']);
    expect(status(await askWith({ aud, scope: 'more toolbox:writing use' }, {}, options))).toBe(200);
  });

  it('need no toolbox when the configuration gives all of them to everybody', async () => {
    const authenticator = create({ allToolboxes: true, scopes: ['use'] });
    expect(toolboxes(await askWith({ scope: 'use' }, {}, { with: authenticator }))).toEqual(['*']);
    expect(status(await askWith({ scope: 'toolbox:writing' }, {}, { with: authenticator }))).toBe(403);
  });

  it('follow the toolboxes as they come and go', async () => {
    let names = ['writing'];
    const authenticator = create({ toolboxes: () => names });
    const claims = { scope: 'toolbox:writing toolbox:new' };
    expect(toolboxes(await askWith(claims, {}, { with: authenticator }))).toEqual(['writing']);
    names = ['writing', 'new'];
    expect(toolboxes(await askWith(claims, {}, { with: authenticator }))).toEqual(['writing', 'new']);
  });
});

describe('the document about an endpoint', () => {
  it('names the endpoint, its issuer and the scopes that are of use there', () => {
    const authenticator = create({ scopes: ['use'], name: 'Bench' });
    expect(authenticator.metadata?.('/mcp', origin)).toEqual({
      resource: `${origin}/mcp`,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['use'],
      bearer_methods_supported: ['header'],
      resource_name: 'Bench',
    });
    expect(authenticator.metadata?.('/mcp/code', origin)).toMatchObject({
      resource: `${origin}/mcp/code`,
      scopes_supported: ['use', 'toolbox:code'],
      resource_name: 'Bench: code',
    });
  });

  it('is the same for a toolbox that there is and for one that there is not, so that nobody learns which there are', () => {
    const about = (name: string) => JSON.stringify(create().metadata?.(`/mcp/${name}`, origin)).replaceAll(name, 'any');
    expect(about('ghost')).toBe(about('code'));
    expect(JSON.stringify(create().metadata?.('/mcp', origin))).not.toContain('toolbox:');
  });

  it.each(['https://public.example', 'https://public.example/', 'HTTPS://PUBLIC.example'])(
    'is about the public address when one is configured: %s',
    async (publicUrl) => {
      const authenticator = create({ publicUrl });
      expect(authenticator.metadata?.('/mcp', origin)).toMatchObject({ resource: 'https://public.example/mcp' });
      expect(challenge(await ask(undefined, { with: authenticator }))).toContain(
        'resource_metadata="https://public.example/.well-known/oauth-protected-resource/mcp"',
      );
      expect(status(await askWith({}, {}, { with: authenticator }))).toBe(401);
      const aud = 'https://public.example/mcp';
      expect(status(await askWith({ aud }, {}, { with: authenticator }))).toBe(200);
    },
  );

  it('stands below the path of the public address', async () => {
    const authenticator = create({ publicUrl: 'https://public.example/bench/' });
    expect(authenticator.metadata?.('/mcp/code', origin)).toMatchObject({
      resource: 'https://public.example/bench/mcp/code',
    });
    expect(challenge(await ask(undefined, { with: authenticator }))).toContain(
      '"https://public.example/bench/.well-known/oauth-protected-resource/mcp"',
    );
  });
});

describe('the keys of the issuer', () => {
  const signedBy = async (signer: SigningKey) => `Bearer ${await sign({ ...good(), exp: now + 9_999 }, signer)}`;

  it('are asked for once, with the first token', async () => {
    const authenticator = create();
    const token = await signedBy(key);
    await Promise.all([1, 2, 3].map(() => ask(token, { with: authenticator })));
    await ask(token, { with: authenticator });
    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(1);
  });

  it('are asked for again when a token names a new one, at most once in 30 seconds', async () => {
    const authenticator = create();
    await ask(await signedBy(key), { with: authenticator });
    const next = await createKey('next');
    const token = await signedBy(next);
    nowMs += 31_000;
    expect(status(await ask(token, { with: authenticator }))).toBe(401);
    issuer.keys = [next.jwk];
    nowMs += 29_000;
    expect(status(await ask(token, { with: authenticator }))).toBe(401);
    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(2);
    nowMs += 1_000;
    const verdicts = await Promise.all([1, 2, 3].map(() => ask(token, { with: authenticator })));
    expect(verdicts.map(status)).toEqual([200, 200, 200]);
    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(3);
    expect(status(await ask(await signedBy(key), { with: authenticator }))).toBe(401);
  });

  it('go out of use when the issuer withdraws them', async () => {
    const authenticator = create();
    const token = await signedBy(key);
    expect(status(await ask(token, { with: authenticator }))).toBe(200);
    issuer.keys = [rsa.jwk];
    expect(status(await ask(token, { with: authenticator }))).toBe(200);
    nowMs += 600_000;
    expect(status(await ask(token, { with: authenticator }))).toBe(401);
  });

  it('stay in use while the issuer cannot be asked', async () => {
    const authenticator = create();
    const token = await signedBy(key);
    expect(status(await ask(token, { with: authenticator }))).toBe(200);
    issuer.failWith = 500;
    nowMs += 3_600_000;
    expect(status(await ask(token, { with: authenticator }))).toBe(200);
  });

  it('cannot be had: nobody is let in, nobody is told to sign in again, and it is tried again soon', async () => {
    const authenticator = create();
    const token = await signedBy(key);
    issuer.failWith = 500;
    expect(await ask(token, { with: authenticator })).toEqual({
      status: 503,
      challenge: '',
      message: 'Tokens cannot be checked at the moment. Try again later.',
    });
    const asked = issuer.asked.length;
    issuer.failWith = undefined;
    expect(status(await ask(token, { with: authenticator }))).toBe(503);
    expect(issuer.asked).toHaveLength(asked);
    nowMs += 5_000;
    expect(status(await ask(token, { with: authenticator }))).toBe(200);
    expect(lines.join()).not.toContain(token.slice(20));
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['without an issuer', { issuer: null }],
    ['without an address of keys', { jwks_uri: null }],
    ['with keys in a private network', { jwks_uri: 'https://10.0.0.1/keys' }],
    ['with keys at the address of a cloud', { jwks_uri: 'http://169.254.169.254/keys' }],
  ])('are not taken from a discovery document %s', async (_name, changes) => {
    issuer.discovery = changes;
    expect(status(await ask(await signedBy(key)))).toBe(503);
    expect(issuer.asked).not.toContain('/keys');
  });

  it('are not taken from a discovery document that spells the issuer with a slash more', async () => {
    issuer.discovery = { issuer: `${issuer.issuer}/` };
    expect(status(await ask(await signedBy(key)))).toBe(503);
  });

  it('are looked for where OAuth and OpenID Connect put the document, below the path of the issuer', async () => {
    const tenant = await startIssuer({ path: '/tenant/a' });
    tenant.keys = [key.jwk];
    const fetch = createGuardedFetch({ allowLoopbackHttp: [new URL(tenant.issuer).origin], env: {} });
    const authenticator = create({ issuer: tenant.issuer, fetch });
    expect(status(await askWith({ iss: tenant.issuer }, {}, { with: authenticator }))).toBe(200);
    await tenant.close();
    expect(tenant.asked).toEqual([
      '/.well-known/oauth-authorization-server/tenant/a',
      '/.well-known/openid-configuration/tenant/a',
      '/tenant/a/.well-known/openid-configuration',
      '/keys',
    ]);
  });

  it('are taken from where the configuration says, without discovery', async () => {
    const authenticator = create({ jwksUri: `${issuer.issuer}/keys` });
    expect(status(await askWith({}, {}, { with: authenticator }))).toBe(200);
    expect(issuer.asked).toEqual(['/keys']);
  });

  it.each<[string, unknown]>([
    ['a shared secret', { kty: 'oct', kid: 'one', k: 'c2VjcmV0' }],
    ['a private key', undefined],
    ['nothing', null],
  ])('are not used when they are %s', async (_name, jwk) => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    issuer.keys = [(jwk === undefined ? { ...(await exportJWK(privateKey)), kid: 'one' } : jwk) as never];
    expect(status(await ask(await signedBy(jwk === undefined ? { ...key, privateKey } : key)))).not.toBe(200);
  });
});
