/**
 * Where the metadata of an issuer may be, in the order that MCP prescribes. OAuth (RFC 8414) and OpenID Connect disagree
 * about issuers with a path.
 */
export function issuerMetadataUrls(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [`/.well-known/oauth-authorization-server${path}`, `/.well-known/openid-configuration${path}`];
  if (path !== '') places.push(`${path}/.well-known/openid-configuration`);
  return places.map((place) => new URL(origin + place));
}
