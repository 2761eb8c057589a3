import { buildDiscoveryUrls } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { issuerMetadataUrls } from '../../src/net/issuer-metadata.ts';

describe('metadata', () => {
  it.each(['https://as.example', 'https://as.example/', 'https://as.example/tenant', 'https://as.example/a/b/'])(
    'of the issuer %s is looked for where the SDK looks for it',
    (issuer) => {
      expect(issuerMetadataUrls(issuer).map(String)).toEqual(buildDiscoveryUrls(issuer).map(({ url }) => url.href));
    },
  );
});
