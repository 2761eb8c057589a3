import { buildDiscoveryUrls, computeScopeUnion, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { parseChallenge } from '../../src/downstream/oauth/challenge.ts';
import { discover, discoverServer, resourceMetadataUrls } from '../../src/downstream/oauth/discover.ts';
import { coversServer, toResource } from '../../src/downstream/oauth/resource.ts';
import { includesScopes, joinScopes } from '../../src/downstream/oauth/scopes.ts';
import { issuerMetadataUrls } from '../../src/net/issuer-metadata.ts';

const metadataUrl = 'https://server.example/.well-known/oauth-protected-resource/mcp';

describe('a challenge', () => {
  it.each([
    `Bearer resource_metadata="${metadataUrl}"`,
    `Bearer realm="x, y", resource_metadata="${metadataUrl}", scope="a b", error="insufficient_scope"`,
    `bearer scope=a`,
    `Bearer error="invalid_token",error_description="it said \\"no\\"",scope="x"`,
    `Bearer`,
    `Basic realm="x"`,
    ``,
  ])('is read like the SDK reads it: %s', (header) => {
    const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(
      new Response(null, { headers: { 'www-authenticate': header } }),
    );
    expect(parseChallenge(header)).toEqual({
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadata: resourceMetadataUrl.href }),
      ...(scope === undefined ? {} : { scope }),
      ...(error === undefined ? {} : { error }),
    });
  });

  it.each([
    [`Basic realm="x", Bearer scope="a"`, { scope: 'a' }],
    [`Bearer scope="a", Basic scope="b"`, { scope: 'a' }],
    [`Negotiate YII=, Bearer scope="a"`, { scope: 'a' }],
    [`Bearer realm="y", Bearer resource_metadata="${metadataUrl}"`, { resourceMetadata: metadataUrl }],
    [`Bearer scope="first", scope="second"`, { scope: 'first' }],
    [`Bearer scope="never closed`, { scope: 'never closed' }],
    [`=, =, "Bearer scope=x"`, {}],
    [undefined, {}],
  ])('is found among others, and survives nonsense: %s', (header, expected) => {
    expect(parseChallenge(header)).toEqual(expected);
  });

  it('of any length is read quickly', () => {
    expect(parseChallenge(`Bearer ${'=,'.repeat(500_000)}`)).toEqual({});
  });
});

describe('metadata', () => {
  it.each(['https://as.example', 'https://as.example/', 'https://as.example/tenant', 'https://as.example/a/b/'])(
    'of the issuer %s is looked for where the SDK looks for it',
    (issuer) => {
      expect(issuerMetadataUrls(issuer).map(String)).toEqual(buildDiscoveryUrls(issuer).map(({ url }) => url.href));
    },
  );

  it('of a resource is looked for where the challenge says, then below its path, then at the root', () => {
    const challenge = { resourceMetadata: 'https://other.example/.well-known/metadata' };
    expect(resourceMetadataUrls('https://server.example/mcp/', challenge).map(String)).toEqual([
      'https://other.example/.well-known/metadata',
      metadataUrl,
      'https://server.example/.well-known/oauth-protected-resource',
    ]);
    expect(resourceMetadataUrls('https://server.example', {}).map(String)).toEqual([
      'https://server.example/.well-known/oauth-protected-resource',
    ]);
  });

  it('is looked for elsewhere only at a place for metadata, whatever the server names', () => {
    const placesFor = (named: string, issuer?: string) =>
      resourceMetadataUrls('http://127.0.0.1:8000/mcp', { resourceMetadata: named }, issuer).map(String);
    const own = [
      'http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp',
      'http://127.0.0.1:8000/.well-known/oauth-protected-resource',
    ];
    for (const allowed of [
      'http://127.0.0.1:8000/anywhere?at=all',
      'http://127.0.0.1:9000/.well-known/oauth-protected-resource/x',
      'https://meta.example/.well-known/x',
    ])
      expect(placesFor(allowed)).toEqual([allowed, ...own]);
    for (const refused of [
      'http://127.0.0.1:9000/admin',
      'http://127.0.0.1:9000/.well-known/x?do=it',
      'http://127.0.0.1:9000/.well-known/../admin',
      'http://127.0.0.1:9000/.well-known',
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'nothing',
    ])
      expect(placesFor(refused)).toEqual(own);
    expect(placesFor('https://issuer.example/m?x=1', 'https://issuer.example/a')).toContain(
      'https://issuer.example/m?x=1',
    );
  });

  it.each([
    ['https://server.example/mcp', true],
    ['https://server.example/mcp/', true],
    ['https://server.example', true],
    ['https://SERVER.example/mcp', true],
    ['https://server.example/mc', false],
    ['https://server.example/mcp/x', false],
    ['https://server.example:8443/mcp', false],
    ['http://server.example/mcp', false],
    ['https://server.example.evil.example/mcp', false],
    ['https://user@server.example/mcp', false],
    ['', false],
  ])('about %s speaks for https://server.example/mcp: %s', (resource, expected) => {
    expect(coversServer(resource, 'https://server.example/mcp')).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ['https://as.example', 'https://as.example', true],
    ['https://as.example/', 'https://as.example', true],
    ['https://as.example', 'https://as.example/', false],
    ['https://as.example/a', 'https://as.example/b', false],
    ['https://as.example', 'https://AS.example', false],
  ])('under the issuer %s that says %s is used: %s', async (issuer, stated, expected) => {
    const metadata = { issuer: stated, token_endpoint: 'https://as.example/token' };
    const found = discoverServer(issuer, undefined, async () => Response.json(metadata));
    if (expected) expect(await found).toMatchObject({ issuer: stated });
    else await expect(found).rejects.toMatchObject({ code: 'WB1204' });
  });

  it.each(['javascript:alert(1)', 'file:///etc', 'no address'])(
    'of the issuer %s is not looked for',
    async (issuer) => {
      const metadata = { resource: 'https://server.example/mcp', authorization_servers: [issuer] };
      const fetch = async () => Response.json(metadata);
      const found = discover({ serverUrl: 'https://server.example/mcp', challenge: {}, issuer: undefined, fetch });
      await expect(found).rejects.toMatchObject({ code: 'WB1204' });
    },
  );

  it('of a server from before resource metadata is that of its own origin', async () => {
    const asked: string[] = [];
    const origin = 'https://old.example';
    const found = await discover({
      serverUrl: `${origin}/sse?key=secret`,
      challenge: {},
      issuer: undefined,
      fetch: async (url) => {
        asked.push(url.href);
        const isServer = url.pathname === '/.well-known/oauth-authorization-server';
        return isServer
          ? Response.json({ issuer: origin, token_endpoint: `${origin}/token` })
          : new Response('', { status: 404 });
      },
    });
    expect(found).toMatchObject({ resource: `${origin}/sse`, server: { issuer: origin } });
    expect(asked.join(' ')).not.toContain('secret');
  });
});

describe('the name of a resource', () => {
  it.each([
    ['https://Server.example/mcp/', 'https://server.example/mcp'],
    ['https://user:word@server.example/mcp?key=secret#part', 'https://server.example/mcp'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ])('of %s is %s', (url, expected) => {
    expect(toResource(url)).toBe(expected);
  });
});

describe('scopes', () => {
  it.each([[['a b', 'b c']], [['a', undefined]], [[undefined, undefined]], [['', ' ']]])(
    'add up as in the SDK: %j',
    (lists) => {
      expect(joinScopes(...lists)).toBe(computeScopeUnion(...lists));
    },
  );

  it('are contained in any order', () => {
    expect(includesScopes('a b c', 'c a')).toBe(true);
    expect(includesScopes('a', 'a b')).toBe(false);
    expect(includesScopes(undefined, undefined)).toBe(true);
  });
});
