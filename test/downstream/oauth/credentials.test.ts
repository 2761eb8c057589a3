import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOAuthCredentials } from '../../../src/downstream/oauth/oauth-credentials.ts';
import { findContext } from '../../../src/downstream/oauth/sign-in-context.ts';
import type { Grant } from '../../../src/downstream/oauth/tokens/grant.ts';
import { createMemoryStore } from '../../../src/downstream/oauth/tokens/token-store.ts';
import { tempDir } from '../../support/processes.ts';
import { openFileStore, openPlace, type Place, type PlaceOptions, signIn, toContext, toDefinition } from './support.ts';

/** A place where somebody has signed in, with a clock that can be set. */
async function signedIn(options: PlaceOptions = {}) {
  const shift = { ms: 0 };
  const place = await openPlace({ now: () => Date.now() + shift.ms, ...options });
  await signIn(place.context);
  return { ...place, shift, credentials: createOAuthCredentials(place.context) };
}

const refreshes = ({ issuer }: Pick<Place, 'issuer'>) =>
  issuer.asked.filter((line) => line === 'POST /token refresh_token').length;
const unauthorized = (sent: string | undefined) =>
  ({ status: 401, challenge: 'Bearer error="invalid_token"', sent }) as const;
const tokenOf = (header: string | undefined) => header?.slice('Bearer '.length) ?? '';

async function stored({ context, server }: Pick<Place, 'context' | 'server'>): Promise<Grant> {
  const grant = await context.grants.findFor(server.url);
  if (grant === undefined) throw new Error('nothing is stored');
  return grant;
}

describe('the token of a server', () => {
  it('is renewed shortly before it expires, and the new refresh token replaces the old one', async () => {
    const place = await signedIn({ accessTokenSec: 60 });
    const { credentials, shift, issuer } = place;
    const [header, before] = [await credentials.header(), await stored(place)];
    shift.ms = 40_000;
    expect(await credentials.header()).toBe(header);
    shift.ms = 50_000;
    const renewed = await credentials.header();
    expect(renewed).not.toBe(header);
    expect(await issuer.look(tokenOf(renewed))).toBeDefined();
    const after = await stored(place);
    expect(after.tokens?.refreshToken).not.toBe(before.tokens?.refreshToken);
    expect(after.tokens?.scope).toBe('tools:read');
    shift.ms = 120_000;
    await credentials.header();
    expect(refreshes(place)).toBe(2);
    const used = issuer.posted.map(({ body }) => new URLSearchParams(body).get('refresh_token'));
    expect(used.filter((token) => token !== null)).toEqual([before.tokens?.refreshToken, after.tokens?.refreshToken]);
    expect(new URLSearchParams(issuer.posted.at(-1)?.body).get('resource')).toBe(place.server.url);
  });

  it('is renewed once for fifty requests that find it expired', async () => {
    // A store without locks: here it is the process itself that must hold back.
    const place = await signedIn({ accessTokenSec: 60, store: createMemoryStore() });
    place.shift.ms = 61_000;
    const headers = await Promise.all(Array.from({ length: 50 }, () => place.credentials.header()));
    expect(new Set(headers).size).toBe(1);
    expect(refreshes(place)).toBe(1);
  });

  it('is renewed once for fifty requests that were refused, also for those that hear of it late', async () => {
    const place = await signedIn();
    const header = await place.credentials.header();
    await place.issuer.revoke(tokenOf(header));
    const again = await Promise.all(Array.from({ length: 49 }, () => place.credentials.refused(unauthorized(header))));
    expect(again).toEqual(again.map(() => true));
    expect(await place.credentials.refused(unauthorized(header))).toBe(true);
    expect(refreshes(place)).toBe(1);
    expect(await place.credentials.header()).not.toBe(header);
  });

  it('is renewed once when several processes find it expired', async () => {
    const dir = tempDir();
    const place = await signedIn({ accessTokenSec: 60, store: openFileStore(dir) });
    place.shift.ms = 61_000;
    const now = () => Date.now() + place.shift.ms;
    const others = Array.from({ length: 5 }, () =>
      createOAuthCredentials(toContext(place.definition, openFileStore(dir), now)),
    );
    const headers = await Promise.all(others.map((each) => each.header()));
    expect(new Set(headers).size).toBe(1);
    expect(refreshes(place)).toBe(1);
  });

  it('is gone, with the command to run, when the authorization server takes it back', async () => {
    const place = await signedIn();
    const { context, credentials, server } = place;
    const grant = await stored(place);
    await context.grants.saveFor(server.url, { ...grant, tokens: { ...grant.tokens!, refreshToken: 'taken-back' } });
    const header = await credentials.header();
    expect(header).toMatch(/^Bearer /);
    expect(await credentials.refused(unauthorized(header))).toBe(false);
    expect(await credentials.header()).toBeUndefined();
    expect((await stored(place)).tokens).toBeUndefined();
    expect((await stored(place)).client).toEqual(grant.client);
  });

  it('keeps its refresh token and scopes when the answer to a renewal names none', async () => {
    const issuer = 'https://as.example';
    const metadata = { issuer, token_endpoint: `${issuer}/token` };
    const answer = { access_token: 'second', token_type: 'Bearer' };
    const fetch = async (url: URL) => Response.json(url.pathname === '/token' ? answer : metadata);
    const definition = toDefinition('https://server.example/mcp');
    const context = findContext({ definition, store: createMemoryStore(), fetch })!;
    const binding = { issuer, resource: 'https://server.example/mcp' };
    await context.grants.saveFor('https://server.example/mcp', {
      ...binding,
      client: { clientId: 'me', method: 'none' },
      tokens: { accessToken: 'first', refreshToken: 'kept', scope: 'a b', expiresAt: 1 },
    });
    expect(await createOAuthCredentials(context).header()).toBe('Bearer second');
    expect((await context.grants.find(binding))?.tokens).toEqual({
      accessToken: 'second',
      refreshToken: 'kept',
      scope: 'a b',
    });
  });

  it('is there for the next request when somebody signed in after it was taken back', async () => {
    const place = await signedIn();
    const { tokens: _, ...rest } = await stored(place);
    await place.context.grants.saveFor(place.server.url, rest);
    const [refusing, silent] = [createOAuthCredentials(place.context), createOAuthCredentials(place.context)];
    for (const credentials of [refusing, silent]) expect(await credentials.header()).toBeUndefined();
    await signIn(place.context);
    // At once where the server wants it, else after a second at most.
    expect(await refusing.refused({ status: 401, challenge: 'Bearer', sent: undefined })).toBe(true);
    expect(await refusing.header()).toMatch(/^Bearer /);
    place.shift.ms += 1_000;
    expect(await silent.header()).toMatch(/^Bearer /);
  });

  it('is looked for in the store once a second, not with every request, while nobody has signed in', async () => {
    let [looked, time] = [0, 1_000_000];
    const memory = createMemoryStore();
    const store = {
      ...memory,
      find(key: string) {
        looked++;
        return memory.find(key);
      },
    };
    const credentials = createOAuthCredentials(
      toContext(toDefinition('https://server.example/mcp'), store, () => time),
    );
    const ask = async () => {
      for (let request = 0; request < 100; request++) expect(await credentials.header()).toBeUndefined();
    };
    await ask();
    expect(looked).toBe(1);
    time += 999;
    await ask();
    expect(looked).toBe(1);
    time += 1;
    await ask();
    expect(looked).toBe(2);
    // A clock that is set back must not stop the looking.
    time -= 500_000;
    await ask();
    expect(looked).toBe(3);
  });

  it('is taken from the store when somebody signed in meanwhile', async () => {
    const place = await signedIn();
    const { credentials, issuer } = place;
    const header = await credentials.header();
    await issuer.revoke(tokenOf(header));
    await signIn(place.context);
    expect(await credentials.refused(unauthorized(header))).toBe(true);
    expect(await credentials.header()).not.toBe(header);
    expect(refreshes(place)).toBe(0);
  });

  it('is used to its end while the authorization server is out of order, which is said after that', async () => {
    const place = await signedIn({ accessTokenSec: 60 });
    const { credentials, shift, issuer } = place;
    issuer.outage = 503;
    shift.ms = 50_000;
    expect(await credentials.header()).toMatch(/^Bearer /);
    shift.ms = 61_000;
    await expect(credentials.header()).rejects.toMatchObject({ code: 'WB1309' });
    issuer.outage = undefined;
    expect(await credentials.header()).toMatch(/^Bearer /);
  });

  it('is not renewed at an issuer, or for a client, that the configuration no longer names', async () => {
    const place = await signedIn({ accessTokenSec: 60 });
    place.shift.ms = 61_000;
    for (const oauth of [{ issuer: 'https://other.example' }, { issuer: place.issuer.issuer, clientId: 'another' }]) {
      const definition = { ...place.definition, transport: { ...place.definition.transport, oauth } };
      const context = toContext(definition as typeof place.definition, place.store, place.context.now);
      expect(await createOAuthCredentials(context).header()).toBeUndefined();
    }
    expect(refreshes(place)).toBe(0);
  });

  it('is hidden from everything that is printed', async () => {
    const place = await signedIn();
    const context = toContext(place.definition, place.store);
    await createOAuthCredentials(context).header();
    const { tokens } = await stored(place);
    const said = context.redactor.hide(`${tokens?.accessToken} ${tokens?.refreshToken}`);
    expect(said).toBe('‹token of guarded› ‹refresh token of guarded›');
  });
});

const forbidden = (scope: string, sent: string | undefined) =>
  ({ status: 403, challenge: `Bearer error="insufficient_scope", scope="${scope}"`, sent }) as const;

describe('further rights', () => {
  it('are asked for at the next sign-in, together with those that were granted', async () => {
    const place = await signedIn();
    const { credentials, context, issuer } = place;
    const first = await credentials.header();
    await expect(credentials.refused(forbidden('tools:write', first))).rejects.toMatchObject({
      code: 'WB1203',
      fix: 'Run: mcp-workbench auth login guarded',
      message: expect.stringContaining('tools:write'),
    });
    let asked: string | null = '';
    await signIn(context, {
      through: async (url) => {
        asked = url.searchParams.get('scope');
        const { walkHome } = await import('./walk.ts');
        await walkHome(url);
      },
    });
    expect(asked?.split(' ').sort()).toEqual(['offline_access', 'tools:read', 'tools:write']);
    expect(await credentials.refused(forbidden('tools:write', first))).toBe(true);
    const known = await issuer.look(tokenOf(await credentials.header()));
    expect(known?.scope.split(' ').sort()).toEqual(['tools:read', 'tools:write']);
  });

  it('that were asked for and not granted are not asked for again', async () => {
    const place = await signedIn({ oauth: { scope: 'tools:read tools:admin' } });
    const header = await place.credentials.header();
    await expect(place.credentials.refused(forbidden('tools:admin', header))).rejects.toMatchObject({
      message: expect.stringContaining('asked for and not granted'),
    });
  });

  it.each([
    ['says nothing of scopes', 'Bearer error="insufficient_scope"'],
    ['is of another kind', 'Bearer error="invalid_token", scope="tools:write"'],
    ['wants what is there', 'Bearer error="insufficient_scope", scope="tools:read"'],
    ['says nothing', undefined],
  ])('are not asked for when the refusal %s', async (_, challenge) => {
    const { credentials } = await signedIn();
    const sent = await credentials.header();
    expect(await credentials.refused({ status: 403, challenge, sent })).toBe(false);
  });
});

describe('a client that signs in by itself', () => {
  const machine = (change: object) => ({
    client_id: 'robot',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    ...change,
  });
  const secret = machine({ client_secret: 'robots-have-secrets' });
  const oauth = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'robots-have-secrets' } as const;

  it('needs nobody, and gets a new token when the old one expires or is refused', async () => {
    const shift = { ms: 0 };
    const now = () => Date.now() + shift.ms;
    const { context, issuer, server } = await openPlace({ clients: [secret], oauth, accessTokenSec: 60, now });
    const credentials = createOAuthCredentials(context);
    const header = await credentials.header();
    expect(await issuer.look(tokenOf(header))).toEqual({ scope: 'tools:read', audience: server.url });
    shift.ms = 61_000;
    const next = await credentials.header();
    expect(next).not.toBe(header);
    expect(await credentials.refused(unauthorized(next))).toBe(true);
    expect(await credentials.header()).not.toBe(next);
  });

  it('asks for further rights by itself, at most twice', async () => {
    const { context, issuer } = await openPlace({ clients: [secret], oauth });
    const credentials = createOAuthCredentials(context);
    const header = await credentials.header();
    expect(await credentials.refused(forbidden('tools:write', header))).toBe(true);
    expect((await issuer.look(tokenOf(await credentials.header())))?.scope.split(' ').sort()).toEqual([
      'tools:read',
      'tools:write',
    ]);
    const before = issuer.asked.length;
    const tries = () => issuer.asked.slice(before).filter((line) => line.startsWith('POST /token')).length;
    for (let round = 0; round < 5; round++) {
      await credentials.refused(forbidden('tools:admin', await credentials.header())).catch(() => {});
    }
    expect(tries()).toBe(2);
  });

  it.each<[string, () => KeyObject]>([
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['PS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
    ['EdDSA', () => generateKeyPairSync('ed25519').privateKey],
  ])('proves itself with a private key by %s', async (algorithm, generate) => {
    const key = generate();
    const file = join(tempDir(), 'key');
    const asJwk = algorithm === 'ES256';
    writeFileSync(
      file,
      asJwk
        ? JSON.stringify({ ...key.export({ format: 'jwk' }), kid: 'one' })
        : key.export({ type: 'pkcs8', format: 'pem' }),
    );
    const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...known } = key.export({ format: 'jwk' });
    const client = machine({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: algorithm,
      jwks: { keys: [{ ...known, ...(asJwk ? { kid: 'one' } : {}) }] },
    });
    const { context, issuer } = await openPlace({
      clients: [client],
      oauth: {
        grant: 'client_credentials',
        clientId: 'robot',
        privateKeyFile: file,
        ...(algorithm === 'PS256' ? { algorithm } : {}),
      },
    });
    expect(await issuer.look(tokenOf(await createOAuthCredentials(context).header()))).toBeDefined();
  });

  it.each([
    ['is missing', undefined, undefined],
    ['is no key', 'hello', undefined],
    ['does not fit the algorithm', 'key', 'RS256' as const],
  ])('says so when its key %s', async (_, content, algorithm) => {
    const file = join(tempDir(), 'key.pem');
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    if (content !== undefined) writeFileSync(file, content === 'key' ? key : content);
    const settings = { grant: 'client_credentials', clientId: 'robot', privateKeyFile: file } as const;
    const { context } = await openPlace({ oauth: { ...settings, ...(algorithm === undefined ? {} : { algorithm }) } });
    await expect(createOAuthCredentials(context).header()).rejects.toMatchObject({ code: 'WB1208' });
  });
});
