/** Ends a sign-in: the authorization server revokes the tokens (RFC 7009) if it can, and everything stored is removed. */
import { revocationRequest } from 'oauth4webapi';
import { toMessage } from '../../base/errors/errors.ts';
import { defined } from '../../base/json/defined.ts';
import { discoverServer } from './protocol/discover.ts';
import { throughFetch } from './protocol/fetch-json.ts';
import { recallClient } from './protocol/register-client.ts';
import { proveClient } from './protocol/token-request.ts';
import type { SignInContext } from './sign-in-context.ts';
import { type Grant, grantKey } from './tokens/grant.ts';

export interface LogoutOutcome {
  /** Whether there was a sign-in. */
  readonly wasSignedIn: boolean;
  /** Whether the authorization server revoked the tokens; `note` says why it did not. */
  readonly revoked: boolean;
  readonly note?: string;
}

export async function logout(context: SignInContext): Promise<LogoutOutcome> {
  const { grants, store, transport } = context;
  const grant = await grants.findFor(transport.url);
  if (grant === undefined) {
    await grants.removeFor(transport.url);
    return { wasSignedIn: false, revoked: false };
  }
  return store.locked(grantKey(grant), { staleMs: 60_000 }, async () => {
    const newest = (await grants.find(grant)) ?? grant;
    const note = await revoke(context, newest).catch(toMessage);
    await grants.removeFor(transport.url);
    return {
      wasSignedIn: newest.tokens !== undefined,
      revoked: note === undefined,
      ...defined({ note }),
    };
  });
}

/** Undefined when it worked. The refresh token is first: most servers revoke everything with it. */
async function revoke({ settings, fetch, now }: SignInContext, grant: Grant): Promise<string | undefined> {
  const { tokens, issuer } = grant;
  if (tokens === undefined) return 'there were no tokens to take back';
  const client = recallClient(grant.client, settings);
  const server = await discoverServer(issuer, settings.issuer, fetch);
  if (server.revocation_endpoint === undefined || client === undefined)
    return 'the authorization server does not take tokens back';
  const proof = await proveClient({ client, settings, now });
  const pairs = [
    ['refresh_token', tokens.refreshToken],
    ['access_token', tokens.accessToken],
  ] as const;
  for (const [kind, token] of pairs) {
    if (token === undefined) continue;
    const { status } = await revocationRequest(server, { client_id: client.clientId }, proof, token, {
      ...throughFetch(fetch, 200),
      additionalParameters: { token_type_hint: kind },
    });
    if (status !== 200) return `the authorization server answered with status ${status}`;
  }
  return undefined;
}
