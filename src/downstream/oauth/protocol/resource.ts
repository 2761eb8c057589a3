/** The name of a server in OAuth: the resource a token is for. */

/** The address without the parts that may be secret or do not identify it: user, query, fragment, a slash at the end. */
export function toResource(serverUrl: string): string {
  const url = new URL(serverUrl);
  return url.origin + withoutSlash(url.pathname);
}

/** Whether metadata that speaks of `resource` may speak for the server: same origin, and the path is at or below it. */
export function coversServer(resource: string, serverUrl: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [named, server] = [new URL(resource), new URL(serverUrl)];
  if (named.origin !== server.origin || named.username !== '' || named.password !== '') return false;
  const path = withoutSlash(named.pathname);
  return path === withoutSlash(server.pathname) || server.pathname.startsWith(`${path}/`);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
