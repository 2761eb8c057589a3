/** An endpoint as OAuth sees it (RFC 9728): its identity, the document that describes it, the challenges it sends. */
import type { JsonObject } from '../../../base/json/json.ts';

export interface ProtectedResource {
  /** What a token for this endpoint is issued for. */
  readonly resource: string;
  readonly metadataUrl: string;
  /** The one toolbox it serves; undefined for the endpoint of all. */
  readonly toolbox: string | undefined;
}

const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * `path` is that of an endpoint (`/mcp`, `/mcp/<toolbox>`), `base` is how clients reach us. Below a base with a path the
 * document stands below that path, too: the rest of the host is not ours.
 */
export function toEndpoint(path: string, base: string): ProtectedResource {
  const root = toCanonical(base) ?? base;
  // Encoded, so that every path can stand in a header.
  const toolbox = path.startsWith('/mcp/') ? encodeURIComponent(path.slice('/mcp/'.length)) : undefined;
  const own = toolbox === undefined ? '/mcp' : `/mcp/${toolbox}`;
  return { resource: `${root}${own}`, metadataUrl: `${root}${wellKnown}${own}`, toolbox };
}

export function toMetadata(
  { resource, toolbox }: ProtectedResource,
  { issuer, scopes, name }: { readonly issuer: string; readonly scopes: readonly string[]; readonly name: string },
): JsonObject {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
    resource_name: toolbox === undefined ? name : `${name}: ${toolbox}`,
  };
}

export interface BearerChallenge {
  readonly error?: 'invalid_token' | 'insufficient_scope';
  /** Everything this operation needs, not only what is missing. */
  readonly scopes: readonly string[];
}

export function toChallenge({ metadataUrl }: ProtectedResource, { error, scopes }: BearerChallenge): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${metadataUrl}"`,
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ];
  return `Bearer ${parameters.join(', ')}`;
}

/** One spelling for one resource: lower-case scheme and host, no slash at the end. Undefined for a text that is not a URL. */
export function toCanonical(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, host, pathname, search, hash } = new URL(uri);
  return host === '' ? undefined : `${protocol}//${host}${pathname.replace(/\/$/, '')}${search}${hash}`;
}
