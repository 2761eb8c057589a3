/**
 * What a path of the HTTP service means. `path` is always that of the endpoint: `/mcp`, or `/mcp/<toolbox>`; `client` is the id
 * behind `?client=`, which says how tools are shown.
 */

import { defined } from '../../../base/json/defined.ts';

export type Route =
  /** The page for a person who opens the service in a browser. */
  | { readonly kind: 'home' }
  | { readonly kind: 'health' }
  | { readonly kind: 'ready' }
  /** The RFC 9728 document about an endpoint. */
  | { readonly kind: 'metadata'; readonly path: string }
  | { readonly kind: 'mcp'; readonly path: string; readonly client?: string }
  /** The two halves of the old HTTP+SSE transport. */
  | { readonly kind: 'sse'; readonly path: string; readonly client?: string }
  | { readonly kind: 'messages'; readonly path: string; readonly sessionId: string };

export const endpoint = '/mcp';
const metadataPath = '/.well-known/oauth-protected-resource';

const whole: Route = { kind: 'mcp', path: endpoint };

export function findRoute(url: string): Route | undefined {
  if (url === endpoint) return whole;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  if (path === '/') return { kind: 'home' };
  if (path === '/healthz') return { kind: 'health' };
  if (path === '/readyz') return { kind: 'ready' };
  const client = at < 0 ? undefined : findParameter(url.slice(at), 'client');
  if (isEndpoint(path)) return { kind: 'mcp', path, ...defined({ client }) };
  if (path === metadataPath) return { kind: 'metadata', path: endpoint };
  if (path.startsWith(`${metadataPath}/`)) {
    const about = path.slice(metadataPath.length);
    return isEndpoint(about) ? { kind: 'metadata', path: about } : undefined;
  }
  const sse = findBehind(path, '/sse');
  if (sse !== undefined) return { kind: 'sse', path: sse, ...defined({ client }) };
  const messages = findBehind(path, '/messages');
  if (messages === undefined) return undefined;
  const sessionId = findParameter(at < 0 ? '' : url.slice(at), 'sessionId') ?? '';
  return { kind: 'messages', path: messages, sessionId };
}

function findParameter(query: string, name: string): string | undefined {
  return new URLSearchParams(query).get(name) ?? undefined;
}

/** Where the POSTs of the old transport go, for the stream of an endpoint. */
export function toMessagesUrl(path: string, sessionId: string): string {
  return `/messages${path.slice(endpoint.length)}?sessionId=${sessionId}`;
}

/** The toolbox that an endpoint shows; undefined for the endpoint of all. */
export function findToolboxName(path: string): string | undefined {
  return path === endpoint ? undefined : path.slice(endpoint.length + 1);
}

function isEndpoint(path: string): boolean {
  return /^\/mcp(?:\/[^/]+)?$/.test(path);
}

/** The endpoint that another path stands for: `/sse/x` for `/mcp/x`. */
function findBehind(path: string, start: string): string | undefined {
  if (!path.startsWith(start)) return undefined;
  const behind = `${endpoint}${path.slice(start.length)}`;
  return isEndpoint(behind) ? behind : undefined;
}
