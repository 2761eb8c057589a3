/** The context of one server's sign-in: the server, its settings in the configuration, and the store of its tokens. */

import { isLoopback } from '../../base/loopback.ts';
import { type Log, silentLog } from '../../base/text/log.ts';
import { createRedactor, type Redactor } from '../../base/text/redact.ts';
import type { HttpTransport, OAuthSettings, ServerDefinition } from '../../config/model/config.ts';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';
import type { Fetch } from './protocol/fetch-json.ts';
import { createGrants, type Grants } from './tokens/grants.ts';
import type { TokenStore } from './tokens/token-store.ts';

export interface SignInContext {
  /** Name of the server in the configuration. */
  readonly name: string;
  readonly transport: HttpTransport;
  readonly settings: OAuthSettings;
  readonly store: TokenStore;
  readonly grants: Grants;
  readonly fetch: Fetch;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly now: () => number;
}

export interface ContextOptions {
  readonly definition: ServerDefinition;
  readonly store: TokenStore;
  readonly log?: Log;
  readonly redactor?: Redactor;
  readonly now?: () => number;
  readonly fetch?: Fetch;
}

/** Undefined for a server that does not need a sign-in: a local process, or one with a token in its headers. */
export function findContext(options: ContextOptions): SignInContext | undefined {
  const { definition, store } = options;
  const { transport, name } = definition;
  if (transport.kind !== 'http' || (transport.oauth === undefined && hasToken(transport))) return undefined;
  const settings = transport.oauth ?? { grant: 'authorization_code' };
  return {
    name,
    transport,
    settings,
    store,
    grants: createGrants(store),
    fetch: options.fetch ?? createOwnFetch(transport, settings),
    log: (options.log ?? silentLog).with({ server: name }),
    redactor: options.redactor ?? createRedactor(),
    now: options.now ?? Date.now,
  };
}

function hasToken({ headers }: HttpTransport): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/**
 * Addresses that the user wrote may be private; addresses that others name may not. A server on this machine may name an
 * authorization server on this machine: the program that answers there can reach that one anyway.
 */
function createOwnFetch({ url }: HttpTransport, { issuer }: OAuthSettings): Fetch {
  const own = [url, issuer].filter((text) => text !== undefined).map((text) => new URL(text));
  const local = own.filter(({ hostname }) => isLoopback(hostname)).map(({ origin }) => origin);
  const allowPrivate = own.map(({ origin }) => origin).filter((origin) => !local.includes(origin));
  const isLocalServer = isLoopback(new URL(url).hostname);
  return (asked, init) => {
    const allowLoopbackHttp = isLocalServer && isLoopback(asked.hostname) ? [...local, asked.origin] : local;
    return createGuardedFetch({ allowLoopbackHttp, allowPrivate })(asked, init);
  };
}
