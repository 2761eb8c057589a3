import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { parseChallenge } from '../../../../src/downstream/oauth/protocol/challenge.ts';

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
