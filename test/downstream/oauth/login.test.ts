import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HttpTransport } from '../../../src/config/model/config.ts';
import { type LoginOptions, login, type SignInRequest } from '../../../src/downstream/oauth/login.ts';
import { openCallback } from '../../../src/downstream/oauth/protocol/callback.ts';
import { findContext } from '../../../src/downstream/oauth/sign-in-context.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/processes.ts';
import { openFileStore, openPlace, type Place, signIn, toContext, toDefinition } from './support.ts';
import { walk, walkHome } from './walk.ts';

const tokensOf = async ({ context, server }: Place) => (await context.grants.findFor(server.url))?.tokens;

describe('signing in', () => {
  it('gives a token for this server, without anything in the configuration but the issuer', async () => {
    const place = await openPlace();
    await signIn(place.context);
    const tokens = await tokensOf(place);
    expect(await place.issuer.look(tokens?.accessToken ?? '')).toEqual({
      scope: 'tools:read',
      audience: place.server.url,
    });
    expect(tokens).toMatchObject({ refreshToken: expect.stringMatching(/./), expiresAt: expect.any(Number) });
  });

  it('shows what is asked for and the one address that the token goes to, without its query', async () => {
    const { context } = await openPlace();
    const transport = { ...context.transport, url: `${context.transport.url}?key=hidden` };
    let asked: { scope: string | null; request: SignInRequest } | undefined;
    const stop = new AbortController();
    const show: LoginOptions['show'] = (url, _issuer, request) => {
      asked = { scope: url.searchParams.get('scope'), request };
      stop.abort(new Error('seen'));
    };
    await expect(login({ ...context, transport }, { show, signal: stop.signal })).rejects.toThrow('seen');
    expect(asked?.request).toEqual({ scopes: asked?.scope?.split(' ') ?? [], sentTo: context.transport.url });
    expect(asked?.request.scopes).not.toEqual([]);
  });

  it('registers a native client without a secret, and names the resource to both endpoints', async () => {
    const { context, issuer, server } = await openPlace();
    let shown: URL | undefined;
    await signIn(context, {
      through: (url) => {
        shown = url;
        return walkHome(url);
      },
    });
    const registered = JSON.parse(issuer.posted.find(({ path }) => path === '/reg')?.body ?? '{}') as object;
    const redirect = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(registered).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirect],
    });
    const asked = Object.fromEntries(shown?.searchParams ?? []);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: server.url,
      redirect_uri: redirect,
      scope: 'tools:read offline_access',
    });
    expect(asked.state?.length).toBeGreaterThanOrEqual(43);
    const sent = new URLSearchParams(issuer.posted.find(({ path }) => path === '/token')?.body);
    expect(Object.fromEntries(sent)).toMatchObject({ resource: server.url, redirect_uri: asked.redirect_uri });
    expect(sent.get('code_verifier')?.length).toBeGreaterThanOrEqual(43);
  });

  it('keeps its registration for the next sign-in at the same issuer', async () => {
    const { context, issuer } = await openPlace();
    await signIn(context);
    await signIn(context);
    expect(issuer.asked.filter((line) => line === 'POST /reg')).toHaveLength(1);
  });

  it('registers anew after a sign-in that failed, in case the server has forgotten the first', async () => {
    const { context, issuer } = await openPlace();
    await signIn(context);
    const clock = createFakeClock();
    await signIn(context, { clock, through: () => clock.advance(5 * 60_000) }).catch(() => {});
    await signIn(context);
    expect(issuer.asked.filter((line) => line === 'POST /reg')).toHaveLength(2);
  });

  it('needs no configuration at all where the server is on this machine, or both are public', async () => {
    const { definition, store, server } = await openPlace();
    const { oauth: _, ...transport } = definition.transport as HttpTransport;
    const context = toContext({ ...definition, transport }, store);
    await signIn(context);
    expect((await context.grants.findFor(server.url))?.tokens).toBeDefined();
  });

  it('finds the metadata of a server that does not say where it is', async () => {
    const place = await openPlace({ resource: { namesMetadata: false } });
    await signIn(place.context);
    expect(await tokensOf(place)).toBeDefined();
  });

  it('asks no address of this machine for a server elsewhere', async () => {
    const { issuer, store } = await openPlace();
    const context = toContext(toDefinition('https://203.0.113.1/mcp'), store);
    await expect(context.fetch(new URL(issuer.issuer), {})).rejects.toMatchObject({ code: 'WB1308' });
    expect(issuer.asked).toEqual([]);
  });

  it('registers anew at another authorization server and shows it nothing of the first', async () => {
    const [first, second] = [await openPlace(), await openPlace()];
    await signIn(first.context);
    const before = await first.context.grants.findFor(first.server.url);
    first.server.issuer = second.issuer.issuer;
    const moved = toContext(toDefinition(first.server.url, { issuer: second.issuer.issuer }), first.store);
    await signIn(moved);
    const after = await moved.grants.findFor(first.server.url);
    expect(after?.issuer).toBe(second.issuer.issuer);
    expect(after?.client.clientId).not.toBe(before?.client.clientId);
    const said = JSON.stringify(second.issuer.posted);
    for (const secret of [before?.client.clientId, before?.tokens?.accessToken, before?.tokens?.refreshToken])
      expect(said).not.toContain(secret);
  });

  it('uses the client of the configuration, whose secret is not stored', async () => {
    const clients = [
      {
        client_id: 'ours',
        client_secret: 'a very secret word',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ];
    const place = await openPlace({ clients, oauth: { clientId: 'ours', clientSecret: 'a very secret word' } });
    await signIn(place.context);
    expect(place.issuer.asked).not.toContain('POST /reg');
    const basic = Buffer.from('ours:a+very+secret+word').toString('base64');
    expect(place.issuer.posted.at(-1)?.headers.authorization).toBe(`Basic ${basic}`);
    expect(JSON.stringify(await place.context.grants.findFor(place.server.url))).not.toContain('very');
  });

  it('goes by the address of client metadata where the server takes one', async () => {
    const { context } = await openPlace({
      tamper: (metadata) => ({ ...metadata, client_id_metadata_document_supported: true }),
      oauth: { clientMetadataUrl: 'https://client.example/oauth.json' },
    });
    const shown = new Promise<URL>((resolve) => {
      const stop = new AbortController();
      const through = async (url: URL) => {
        resolve(url);
        stop.abort(new Error('enough'));
      };
      signIn(context, { through, signal: stop.signal }).catch(() => {});
    });
    expect((await shown).searchParams.get('client_id')).toBe('https://client.example/oauth.json');
  });

  it('takes the address that the browser ended at from whoever pastes it', async () => {
    const place = await openPlace();
    let unusable = 0;
    let paste: (line: string) => void = () => {};
    const line = new Promise<string>((resolve) => {
      paste = resolve;
    });
    async function* pasted() {
      yield 'what?\n';
      yield 'http://127.0.0.1:1/callback?state=guessed&code=x';
      yield await line;
    }
    await signIn(place.context, {
      pasted: pasted(),
      onUnusable: () => unusable++,
      through: async (url) => paste((await walk(url)).href),
    });
    expect(unusable).toBe(2);
    expect(await tokensOf(place)).toBeDefined();
  });

  it('gives up after five minutes', async () => {
    const { context } = await openPlace();
    const clock = createFakeClock();
    const done = signIn(context, { clock, through: () => clock.advance(5 * 60_000) });
    await expect(done).rejects.toMatchObject({ code: 'WB1202', message: expect.stringContaining('5 minutes') });
  });

  it('happens once for a server, however many ask for it', async () => {
    const dir = tempDir();
    const place = await openPlace({ store: openFileStore(dir) });
    const shown: URL[] = [];
    let waiting = 0;
    const through = async (url: URL) => {
      shown.push(url);
      await eventually(() => expect(waiting).toBe(2));
      await walkHome(url);
    };
    // Each with a store of its own, as other processes would have.
    const contexts = [1, 2, 3].map(() => toContext(place.definition, openFileStore(dir)));
    await Promise.all(contexts.map((context) => signIn(context, { through, onWait: () => waiting++ })));
    expect(shown).toHaveLength(1);
    expect(place.issuer.asked.filter((line) => line.startsWith('POST /token'))).toHaveLength(1);
  });
});

describe('the way back from the browser', () => {
  it.each<[string, (back: URL) => void]>([
    ['of another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
    [
      'of an issuer that differs by a slash',
      (back) => back.searchParams.set('iss', `${back.searchParams.get('iss')}/`),
    ],
    ['without the issuer that was promised', (back) => back.searchParams.delete('iss')],
    ['with two issuers', (back) => back.searchParams.append('iss', back.searchParams.get('iss') ?? '')],
  ])('is refused %s, without a word of what it said', async (_, change) => {
    const { context, issuer } = await openPlace();
    const through = async (url: URL) => {
      const back = await walk(url);
      change(back);
      back.searchParams.set('error', 'call-this-number');
      back.searchParams.set('error_description', 'call-this-number');
      await fetch(back);
    };
    const failure = await signIn(context, { through }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'WB1206' });
    expect(String(failure)).not.toContain('call-this-number');
    expect(issuer.asked.filter((line) => line.startsWith('POST /token'))).toEqual([]);
  });

  it('says that access was denied when it was', async () => {
    const { context } = await openPlace();
    const through = async (url: URL) => {
      const back = await walk(url);
      back.searchParams.delete('code');
      back.searchParams.set('error', 'access_denied');
      await fetch(back);
    };
    await expect(signIn(context, { through })).rejects.toMatchObject({
      code: 'WB1202',
      message: expect.stringContaining('access was denied'),
    });
  });

  it('is open for one answer only, and on a port of this machine only', async () => {
    const callback = await openCallback({});
    atEnd(() => callback.close());
    const answer = callback.answer(() => true);
    expect((await fetch(`${callback.redirectUri}?code=1`)).status).toBe(200);
    expect((await fetch(`${callback.redirectUri}?code=2`)).status).toBe(404);
    expect((await answer).get('code')).toBe('1');
    const { port } = new URL(callback.redirectUri);
    await expect(openCallback({ port: Number(port) })).rejects.toMatchObject({ code: 'WB1209' });
    const elsewhere = await openCallback({ preferred: Number(port) });
    atEnd(() => elsewhere.close());
    expect(elsewhere.redirectUri).not.toBe(callback.redirectUri);
  });

  it('turns away whatever does not belong to the sign-in, which goes on', async () => {
    const place = await openPlace();
    const answers: number[] = [];
    const through = async (url: URL) => {
      const back = await walk(url);
      const stranger = new URL(back);
      stranger.searchParams.set('state', 'guessed');
      const twice = new URL(back);
      twice.searchParams.append('state', back.searchParams.get('state') ?? '');
      const elsewhere = new URL(back);
      elsewhere.pathname = '/';
      for (const each of [stranger, twice, elsewhere]) answers.push((await fetch(each)).status);
      answers.push((await fetch(back, { method: 'POST' })).status);
      answers.push(await statusWithHost(back, 'evil.example'));
      const page = await fetch(back);
      answers.push(page.status);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).not.toContain(back.searchParams.get('code'));
      // Once only: the listener is gone, or says no.
      const again = await fetch(back).then(
        ({ status }) => status,
        () => 404,
      );
      answers.push(again);
    };
    let walked: Promise<void> | undefined;
    await signIn(place.context, {
      through: (url) => {
        walked = through(url);
        return walked;
      },
    });
    await walked;
    expect(answers).toEqual([404, 404, 404, 404, 404, 200, 404]);
    expect(await tokensOf(place)).toBeDefined();
  });
});

function statusWithHost(url: URL, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', reject);
  });
}

describe('a sign-in is not begun', () => {
  const sameHost = 'http://127.0.0.1:1';
  it.each<[string, string, Parameters<typeof openPlace>[0]]>([
    ['without PKCE', 'WB1204', { tamper: ({ code_challenge_methods_supported: _, ...rest }) => rest }],
    ['with plain PKCE only', 'WB1204', { tamper: (all) => ({ ...all, code_challenge_methods_supported: ['plain'] }) }],
    ['at a server that says it is another issuer', 'WB1204', { tamper: (all) => ({ ...all, issuer: sameHost }) }],
    ['without a token endpoint', 'WB1204', { tamper: ({ token_endpoint: _, ...rest }) => rest }],
    ['where clients cannot register', 'WB1205', { registration: false }],
    [
      'where the registration is refused',
      'WB1205',
      { tamper: (all) => ({ ...all, registration_endpoint: String(all.token_endpoint) }) },
    ],
    [
      'for a resource at another host',
      'WB1204',
      { resource: { tamper: (all) => ({ ...all, resource: 'https://other.example/mcp' }) } },
    ],
    [
      'for a resource at another path',
      'WB1204',
      { resource: { tamper: (all) => ({ ...all, resource: `${all.resource}2` }) } },
    ],
    ['for a resource without a name', 'WB1204', { resource: { tamper: ({ resource: _, ...rest }) => rest } }],
    ['at another issuer than the configured one', 'WB1204', { resource: { issuer: 'https://other.example' } }],
    [
      'where the server names no issuer',
      'WB1204',
      { resource: { tamper: (all) => ({ ...all, authorization_servers: [] }) } },
    ],
    [
      'with an address that runs something',
      'WB1310',
      { tamper: (all) => ({ ...all, authorization_endpoint: 'https://x.example/$(id)' }) },
    ],
  ])('%s', async (_, code, options) => {
    const { context, issuer } = await openPlace(options);
    const through = () => Promise.reject(new Error('an address was shown'));
    await expect(signIn(context, { through })).rejects.toMatchObject({ code });
    expect(issuer.asked.filter((line) => line.startsWith('POST /token') && line !== 'POST /token')).toEqual([]);
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
    'when the %s is on another host and nobody vouches for it',
    async (key) => {
      const { definition, store } = await openPlace({ tamper: (all) => ({ ...all, [key]: 'https://evil.example/x' }) });
      const transport = { ...definition.transport, oauth: { grant: 'authorization_code' as const } };
      const context = findContext({ definition: { ...definition, transport } as typeof definition, store, fetch });
      await expect(signIn(context!)).rejects.toMatchObject({
        code: 'WB1204',
        message: expect.stringContaining('another host: evil.example'),
      });
    },
  );
});
