/**
 * From a server that wants a token to the authorization server that gives it. Every document on the way must be about the
 * resource or the issuer that it was requested for: any other is an attack or a mistake.
 */
import type { AuthorizationServer } from 'oauth4webapi';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { findString, type JsonObject } from '../../../base/json/json.ts';
import { toPrintable } from '../../../base/text/printable.ts';
import { issuerMetadataUrls } from '../../../net/issuer-metadata.ts';
import { findStrings, toAuthorizationServer } from './authorization-server.ts';
import type { Challenge } from './challenge.ts';
import { type Fetch, getJson } from './fetch-json.ts';
import { coversServer, toResource } from './resource.ts';

export interface Discovery {
  readonly server: AuthorizationServer;
  /** The resource that tokens are requested for, exactly as the server names itself. */
  readonly resource: string;
  /** Scopes that the server says it needs. */
  readonly scope: string | undefined;
}

export interface DiscoverOptions {
  readonly serverUrl: string;
  readonly challenge: Challenge;
  /** The only authorization server that may be used. */
  readonly issuer: string | undefined;
  readonly fetch: Fetch;
}

export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const { serverUrl, challenge, fetch } = options;
  const metadata = await findResourceMetadata(options);
  const resource = metadata === undefined ? toResource(serverUrl) : (findString(metadata, 'resource') ?? '');
  const issuer = chooseIssuer(metadata, options);
  const server = await discoverServer(issuer, options.issuer, fetch);
  const listed = metadata === undefined ? [] : findStrings(metadata, 'scopes_supported');
  const scope = challenge.scope ?? (listed.length === 0 ? undefined : listed.join(' '));
  return { server, resource, scope };
}

/** The server that an issuer names; `pinned` is the issuer that the configuration names, if it does. */
export async function discoverServer(
  issuer: string,
  pinned: string | undefined,
  fetch: Fetch,
): Promise<AuthorizationServer> {
  const metadata = await getServerMetadata(issuer, fetch);
  return toAuthorizationServer(metadata, findString(metadata, 'issuer') ?? issuer, { pinned: issuer === pinned });
}

/**
 * Where the metadata of a resource may be, most specific first. An address that a server names on another host has to be a
 * place for metadata: it could be any address that only we can reach, and a request is enough to do harm there.
 */
export function resourceMetadataUrls(serverUrl: string, challenge: Challenge, issuer?: string): URL[] {
  const { origin, pathname } = new URL(serverUrl);
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const named = challenge.resourceMetadata;
  const origins = [serverUrl, issuer].filter((each) => each !== undefined).map((each) => new URL(each).origin);
  const texts = [
    ...(named !== undefined && isMetadataPlace(named, origins) ? [named] : []),
    `${origin}/.well-known/oauth-protected-resource${path}`,
    `${origin}/.well-known/oauth-protected-resource`,
  ];
  return [...new Set(texts)].map((text) => new URL(text));
}

function isMetadataPlace(text: string, origins: readonly string[]): boolean {
  if (!isWebAddress(text)) return false;
  const { origin, pathname, search } = new URL(text);
  return origins.includes(origin) || (pathname.startsWith('/.well-known/') && search === '');
}

async function findResourceMetadata(options: DiscoverOptions): Promise<JsonObject | undefined> {
  for (const url of resourceMetadataUrls(options.serverUrl, options.challenge, options.issuer)) {
    const body = await getJson(options.fetch, url);
    if (body === undefined) continue;
    if (coversServer(findString(body, 'resource') ?? '', options.serverUrl)) return body;
    throw new WorkbenchError(
      'WB1204',
      `The metadata at ${url.host} is about another resource than ${toResource(options.serverUrl)}.`,
      { fix: 'Check the "url" of the server; if it is right, its operator must correct the metadata.' },
    );
  }
  return undefined;
}

/** A server without resource metadata (before 2025-06-18) is its own authorization server. */
function chooseIssuer(metadata: JsonObject | undefined, { serverUrl, issuer }: DiscoverOptions): string {
  if (metadata === undefined) return issuer ?? new URL(serverUrl).origin;
  const named = findStrings(metadata, 'authorization_servers').filter(isWebAddress);
  const chosen = issuer === undefined ? named[0] : named.find((each) => each === issuer);
  if (chosen !== undefined) return chosen;
  const shown = named.length === 0 ? 'none' : named.map((each) => toPrintable(each, 200)).join(', ');
  const message =
    issuer === undefined
      ? `The server at ${new URL(serverUrl).host} wants a token but does not name an authorization server.`
      : `The configuration names the issuer ${toPrintable(issuer, 200)}, but the server uses another: ${shown}.`;
  throw new WorkbenchError('WB1204', message, {
    fix:
      issuer === undefined ? 'Use "headers" with a token.' : 'Correct or remove "issuer" only if you trust the other.',
  });
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}

/**
 * A document counts when it names the issuer in the same letters. Only a slash at the end may be missing: the place is the
 * same, and some programs put a slash behind every address that they list.
 */
async function getServerMetadata(issuer: string, fetch: Fetch): Promise<JsonObject> {
  let foreign = false;
  for (const url of issuerMetadataUrls(issuer)) {
    const body = await getJson(fetch, url);
    if (body === undefined) continue;
    const stated = findString(body, 'issuer');
    if (stated === issuer || (issuer.endsWith('/') && stated === issuer.slice(0, -1))) return body;
    foreign = true;
  }
  const name = toPrintable(issuer, 200);
  throw new WorkbenchError(
    'WB1204',
    foreign
      ? `The metadata of the authorization server ${name} is of another issuer.`
      : `The authorization server ${name} does not publish metadata.`,
    { fix: 'Use "headers" with a token, or ask the operator of the server.' },
  );
}
