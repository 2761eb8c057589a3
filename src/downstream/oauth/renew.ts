/** New tokens without a person: with the refresh token, or with the credentials of the client itself. */
import { defined } from '../../base/json/defined.ts';
import type { Challenge } from './protocol/challenge.ts';
import { discover, discoverServer } from './protocol/discover.ts';
import { obtainClient, recallClient, toStoredClient } from './protocol/register-client.ts';
import { joinScopes } from './protocol/scopes.ts';
import { requestTokens, TokenRefusal } from './protocol/token-request.ts';
import type { SignInContext } from './sign-in-context.ts';
import { type Grant, grantKey } from './tokens/grant.ts';

/** Longer than any renewal takes: discovery and one request, each limited by the fetch. */
const staleMs = 60_000;

/**
 * The grant with other tokens than those of `known`, or undefined when only a new sign-in helps. Servers that rotate
 * refresh tokens treat the second use of one as theft, so one process at a time renews and the others take its tokens.
 */
export function renew(context: SignInContext, known: Grant): Promise<Grant | undefined> {
  const { grants, store, settings, fetch, now, transport } = context;
  return store.locked(grantKey(known), { staleMs }, async () => {
    const grant = await grants.find(known);
    if (grant?.tokens === undefined) return undefined;
    if (grant.tokens.accessToken !== known.tokens?.accessToken) return grant;
    const { refreshToken, scope } = grant.tokens;
    if (refreshToken === undefined) return undefined;
    const { issuer, resource } = grant;
    const client = recallClient(grant.client, settings);
    if (client === undefined || (settings.issuer ?? issuer) !== issuer) return undefined;
    try {
      const server = await discoverServer(issuer, settings.issuer, fetch);
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const tokens = await requestTokens({ server, client, settings, resource, form, fetch, now });
      // What the answer does not replace stays valid.
      const kept = { refreshToken, ...defined({ scope }) };
      const renewed: Grant = { ...grant, tokens: { ...kept, ...tokens } };
      await grants.saveFor(transport.url, renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error;
      context.log.warn('the sign-in can no longer be renewed', { reason: error.reason });
      const { tokens: _, ...rest } = grant;
      await grants.saveFor(transport.url, rest);
      return undefined;
    }
  });
}

/** Tokens for the client itself. `scope` is added to the scopes that are requested anyway. */
export async function requestOwnTokens(
  context: SignInContext,
  { challenge, scope, known }: { challenge: Challenge; scope: string | undefined; known: Grant | undefined },
): Promise<Grant> {
  const { grants, store, settings, fetch, now, transport } = context;
  const found = await discover({ serverUrl: transport.url, challenge, issuer: settings.issuer, fetch });
  const { server, resource } = found;
  const binding = { issuer: server.issuer, resource };
  return store.locked(grantKey(binding), { staleMs }, async () => {
    const stored = await grants.find(binding);
    if (stored?.tokens !== undefined && stored.tokens.accessToken !== known?.tokens?.accessToken) return stored;
    const asked = joinScopes(settings.scope ?? found.scope, scope);
    const client = await obtainClient({ server, settings, redirectUri: undefined, earlier: undefined, fetch });
    const form = { grant_type: 'client_credentials', ...defined({ scope: asked }) };
    const tokens = await requestTokens({ server, client, settings, resource, form, fetch, now });
    const grant: Grant = { ...binding, client: toStoredClient(client), tokens };
    await grants.saveFor(transport.url, grant);
    return grant;
  });
}
