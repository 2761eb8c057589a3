/** What an authorization server may answer, and what it is sent: with a fetch of the test in place of a network. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OAuthSettings } from '../../../src/config/model/config.ts';
import { login } from '../../../src/downstream/oauth/login.ts';
import { logout } from '../../../src/downstream/oauth/logout.ts';
import { createOAuthCredentials } from '../../../src/downstream/oauth/oauth-credentials.ts';
import { findContext } from '../../../src/downstream/oauth/sign-in-context.ts';
import { createMemoryStore } from '../../../src/downstream/oauth/tokens/token-store.ts';
import { tempDir } from '../../support/processes.ts';
import { toDefinition } from './support.ts';

const issuer = 'https://as.example';
const url = 'https://server.example/mcp';
const canary = 'call-this-number';
const nowMs = 1_700_000_000_500;

interface Sent {
  readonly path: string;
  readonly method: string | undefined;
  readonly headers: Headers;
  readonly body: string;
  readonly redirect: RequestInit['redirect'];
}

/** A server whose issuer answers each path as told; everything else is 404. */
function open(answers: Record<string, () => Response>, oauth: Partial<OAuthSettings> = {}, metadata: object = {}) {
  const sent: Sent[] = [];
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    code_challenge_methods_supported: ['S256'],
    ...metadata,
  };
  const fetch = async (asked: URL, init: RequestInit) => {
    const { pathname } = asked;
    sent.push({
      path: pathname,
      method: init.method,
      headers: new Headers(init.headers),
      body: String(init.body ?? ''),
      redirect: init.redirect,
    });
    if (pathname === '/.well-known/oauth-authorization-server') return Response.json(document);
    return answers[pathname]?.() ?? new Response('', { status: 404 });
  };
  const definition = toDefinition(url, { issuer, ...oauth });
  const context = findContext({ definition, store: createMemoryStore(), fetch, now: () => nowMs })!;
  const posted = (path: string) => sent.find((each) => each.path === path)!;
  return { context, sent, posted };
}

const robot = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'a-b_c.d~e f' } as const;
const good = { access_token: 'good', token_type: 'Bearer' };

/** The tokens of a client that signs in by itself, or why there are none. */
async function tokensFor(answer: () => Response, oauth: Partial<OAuthSettings> = robot) {
  const { context } = open({ '/token': answer }, oauth);
  await createOAuthCredentials(context).header();
  return (await context.grants.findFor(url))?.tokens;
}

describe('an answer with tokens', () => {
  it.each<[string, object, object]>([
    ['of the least size', {}, {}],
    ['with its type in other letters', { token_type: 'bEARER' }, {}],
    ['with the scope that was granted', { scope: 'b' }, { scope: 'b' }],
    ['with a lifetime', { expires_in: 60 }, { expiresAt: nowMs + 60_000 }],
    ['with a lifetime as text', { expires_in: '60' }, { expiresAt: nowMs + 60_000 }],
    ['with members that are null', { expires_in: null, refresh_token: null, scope: null, id_token: null }, {}],
    ['with a lifetime that is not one', { expires_in: -1 }, {}],
    ['with a proof of sign-in that says nothing to us', { id_token: 'x.y.z' }, {}],
    ['with a refresh token', { refresh_token: 'again' }, { refreshToken: 'again' }],
    ['with a refresh token that cannot stand in a form of ours', { refresh_token: 'with\nbreak' }, {}],
    ['with an empty refresh token', { refresh_token: '' }, {}],
  ])('is taken %s', async (_name, change, expected) => {
    expect(await tokensFor(() => Response.json({ ...good, ...change }))).toEqual({ accessToken: 'good', ...expected });
  });

  it('is taken whatever type its content is said to be', async () => {
    const headers = { 'content-type': 'text/html' };
    expect(await tokensFor(() => new Response(JSON.stringify(good), { headers }))).toMatchObject({
      accessToken: 'good',
    });
  });

  it.each<[string, object]>([
    ['without a token', { access_token: undefined }],
    ['with an empty token', { access_token: '' }],
    ['with a token that cannot stand in a header', { access_token: 'a\r\nx: y' }],
    ['with a token of any length', { access_token: 'x'.repeat(16_385) }],
    ['with a token that is not a text', { access_token: 7 }],
    ['without a type', { token_type: undefined }],
    ['with a token that needs a proof', { token_type: 'DPoP' }],
    ['with a token of another type', { token_type: canary }],
  ])('is refused %s', async (_name, change) => {
    const failure = tokensFor(() => Response.json({ ...good, ...change }));
    await expect(failure).rejects.toMatchObject({
      code: 'WB1202',
      message: 'The authorization server https://as.example gave no bearer token.',
    });
  });
});

describe('a refusal of the token endpoint', () => {
  const refusal = { error: 'invalid_client', error_description: canary };
  it.each<[string, () => Response]>([
    ['as the protocol says', () => Response.json(refusal, { status: 400 })],
    ['with status 200', () => Response.json({ ...good, ...refusal })],
    [
      'with a challenge beside it',
      () => Response.json(refusal, { status: 401, headers: { 'www-authenticate': `Basic realm="${canary}"` } }),
    ],
    ['without the type of JSON', () => new Response(JSON.stringify(refusal), { status: 400 })],
  ])('is told in our words: %s', async (_name, answer) => {
    await expect(tokensFor(answer)).rejects.toMatchObject({
      code: 'WB1202',
      message: 'The authorization server https://as.example refused to give a token (invalid_client).',
    });
  });

  it('is told without the words of the server', async () => {
    const answer = () => Response.json({ error: canary, error_description: canary }, { status: 400 });
    const failure = await tokensFor(answer).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'WB1202', message: expect.stringContaining('(another reason)') });
    expect(JSON.stringify([failure, String(failure)])).not.toContain(canary);
  });

  it.each<[string, number, () => Response]>([
    ['that is not JSON', 200, () => new Response(canary)],
    ['that is not an object', 200, () => Response.json([canary])],
    ['that says nothing', 400, () => new Response(canary, { status: 400 })],
    [
      'that leads elsewhere',
      307,
      () => new Response(null, { status: 307, headers: { location: 'https://x.example' } }),
    ],
    ['of a server that is out of order', 503, () => new Response(canary, { status: 503 })],
    [
      'of a server that says that it is out of order',
      503,
      () => Response.json({ error: 'temporarily_unavailable' }, { status: 503 }),
    ],
  ])('is an outage when it is an answer %s', async (_name, status, answer) => {
    await expect(tokensFor(answer)).rejects.toMatchObject({
      code: 'WB1309',
      message: `as.example answered a token request with status ${status}`,
    });
  });

  it('is an outage when no answer comes, told without the words of the network', async () => {
    const answer = () => {
      throw Object.assign(new Error(canary), { code: 'ECONNRESET' });
    };
    await expect(tokensFor(answer)).rejects.toMatchObject({
      code: 'WB1309',
      message: 'https://as.example could not be asked: ECONNRESET',
    });
  });
});

describe('a request for tokens', () => {
  it('proves the client by its secret as most servers read it, and names no library', async () => {
    const { context, posted } = open({ '/token': () => Response.json(good) }, { ...robot, scope: 'a b' });
    await createOAuthCredentials(context).header();
    const { method, headers, body, redirect } = posted('/token');
    expect([method, redirect]).toEqual(['POST', 'manual']);
    expect(headers.get('authorization')).toBe(`Basic ${Buffer.from('robot:a-b_c.d%7Ee+f').toString('base64')}`);
    expect(headers.get('accept')).toBe('application/json');
    expect(headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded\b/);
    expect(headers.has('user-agent')).toBe(false);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'client_credentials',
      resource: url,
      scope: 'a b',
    });
  });

  it('proves the client by its secret in the form where the server takes it only there', async () => {
    const methods = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    const { context, posted } = open({ '/token': () => Response.json(good) }, robot, methods);
    await createOAuthCredentials(context).header();
    expect(posted('/token').headers.has('authorization')).toBe(false);
    expect(Object.fromEntries(new URLSearchParams(posted('/token').body))).toMatchObject({
      client_id: 'robot',
      client_secret: robot.clientSecret,
    });
  });

  it('proves the client by its key: for this issuer only, for two minutes of our clock', async () => {
    const privateKeyFile = join(tempDir(), 'key.pem');
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const { clientSecret: _, ...rest } = robot;
    const { context, posted } = open({ '/token': () => Response.json(good) }, { ...rest, privateKeyFile });
    await createOAuthCredentials(context).header();
    const form = new URLSearchParams(posted('/token').body);
    expect(form.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const [header, claims] = (form.get('client_assertion') ?? '')
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object) as [object, object];
    expect(header).toEqual({ alg: 'EdDSA', typ: 'JWT' });
    expect(claims).toEqual({
      iss: 'robot',
      sub: 'robot',
      aud: issuer,
      jti: expect.stringMatching(/^.{20,}$/),
      iat: 1_700_000_000,
      exp: 1_700_000_120,
    });
  });
});

describe('metadata with an endpoint', () => {
  it.each(['ftp://as.example/token', 'https://me:word@as.example/token', 'javascript:alert(1)', '/token'])(
    'at %s is not used, also for an issuer that the configuration names',
    async (endpoint) => {
      const { context, sent } = open({}, robot, { token_endpoint: endpoint });
      await expect(createOAuthCredentials(context).header()).rejects.toMatchObject({
        code: 'WB1204',
        message: expect.stringContaining('The token_endpoint of the authorization server https://as.example'),
      });
      expect(sent.every(({ method }) => method === undefined || method === 'GET')).toBe(true);
    },
  );
});

describe('the registration of a client', () => {
  /** Begins to sign in; gives the address that a person would be shown. */
  async function register(answer: () => Response) {
    const stop = new AbortController();
    const { context, posted } = open({ '/register': answer });
    let shown: URL | undefined;
    const show = (address: URL) => {
      shown = address;
      stop.abort(new Error('enough'));
    };
    await login(context, { show, signal: stop.signal }).catch((error: Error) => {
      if (error.message !== 'enough') throw error;
    });
    return { clientId: shown?.searchParams.get('client_id'), posted };
  }

  it.each<[string, number, object]>([
    ['as the protocol says', 201, { token_endpoint_auth_method: 'none' }],
    ['with status 200', 200, {}],
    ['with a secret that does not say when it ends', 201, { client_secret: 'word' }],
    ['with a secret and a method', 201, { client_secret: 'word', token_endpoint_auth_method: 'client_secret_post' }],
    ['with members that are null', 201, { client_secret: null, token_endpoint_auth_method: null }],
    ['with an empty secret', 201, { client_secret: '' }],
  ])('is taken %s', async (_name, status, change) => {
    const { clientId, posted } = await register(() => Response.json({ client_id: 'given', ...change }, { status }));
    expect(clientId).toBe('given');
    expect(posted('/register').redirect).toBe('manual');
    expect(JSON.parse(posted('/register').body)).toEqual({
      client_name: 'MCP Workbench',
      application_type: 'native',
      redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  it.each<[string, number, () => Response]>([
    ['refused', 400, () => Response.json({ error: canary, error_description: canary }, { status: 400 })],
    ['without a client', 201, () => Response.json({}, { status: 201 })],
    ['that is not JSON', 200, () => new Response(canary)],
  ])('is told with its status when it is %s', async (_name, status, answer) => {
    await expect(register(answer)).rejects.toMatchObject({
      code: 'WB1205',
      message: `The authorization server ${issuer} refused to register this program (status ${status}).`,
    });
  });

  it('is not used when it asks for a proof that we do not have', async () => {
    const given = { client_id: 'given', token_endpoint_auth_method: 'private_key_jwt' };
    await expect(register(() => Response.json(given, { status: 201 }))).rejects.toMatchObject({ code: 'WB1205' });
  });
});

describe('the answer of a browser', () => {
  it('with an empty issuer is refused, also when the server promised none', async () => {
    const { context, sent } = open({ '/token': () => Response.json(good) }, { clientId: 'me' });
    const show = (address: URL) => {
      const back = new URL(address.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        state: address.searchParams.get('state') ?? '',
        code: 'one',
        iss: '',
      }).toString();
      void fetch(back);
    };
    await expect(login(context, { show })).rejects.toMatchObject({ code: 'WB1206' });
    expect(sent.map(({ path }) => path)).not.toContain('/token');
  });

  it.each([[['one', 'two']], [[]], [['']]])('with the codes %j is refused', async (codes) => {
    const { context, sent } = open({ '/token': () => Response.json(good) }, { clientId: 'me' });
    const show = (address: URL) => {
      const back = new URL(address.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('state', address.searchParams.get('state') ?? '');
      for (const code of codes) back.searchParams.append('code', code);
      void fetch(back);
    };
    await expect(login(context, { show })).rejects.toMatchObject({
      code: 'WB1206',
      message: 'The answer to the sign-in at https://as.example has no code.',
    });
    expect(sent.map(({ path }) => path)).not.toContain('/token');
  });
});

describe('the end of a sign-in', () => {
  const grant = {
    issuer,
    resource: url,
    client: { clientId: 'me', method: 'none' },
    tokens: { accessToken: 'first', refreshToken: 'again' },
  };

  it('is told to the authorization server for both tokens, the refresh token first', async () => {
    const { context, sent } = open({ '/revoke': () => new Response('') });
    await context.grants.saveFor(url, grant);
    expect(await logout(context)).toEqual({ wasSignedIn: true, revoked: true });
    const forms = sent.filter(({ path }) => path === '/revoke').map(({ body }) => new URLSearchParams(body));
    expect(forms.map((form) => Object.fromEntries(form))).toEqual([
      { token: 'again', token_type_hint: 'refresh_token', client_id: 'me' },
      { token: 'first', token_type_hint: 'access_token', client_id: 'me' },
    ]);
  });

  it.each([
    ['as the protocol says', () => Response.json({ error: canary, error_description: canary }, { status: 400 }), 400],
    ['in another way', () => new Response(canary, { status: 503 }), 503],
  ])('is said with its status when it is refused %s, and everything here is removed', async (_name, answer, status) => {
    const { context } = open({ '/revoke': answer });
    await context.grants.saveFor(url, grant);
    expect(await logout(context)).toEqual({
      wasSignedIn: true,
      revoked: false,
      note: `the authorization server answered with status ${status}`,
    });
    expect(await context.grants.findFor(url)).toBeUndefined();
  });
});
