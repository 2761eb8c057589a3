import { describe, expect, it } from 'vitest';
import { discover, discoverServer, resourceMetadataUrls } from '../../../../src/downstream/oauth/protocol/discover.ts';

const metadataUrl = 'https://server.example/.well-known/oauth-protected-resource/mcp';

describe('metadata', () => {
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
