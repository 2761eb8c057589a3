/** Ends a sign-in: the authorization server is told (RFC 7009) where it listens, and everything stored is removed. */
import { toMessage } from '../../base/errors.ts';
import { discoverServer } from './discover.ts';
import { postForm } from './fetch-json.ts';
import { type Grant, grantKey } from './grant.ts';
import { recallClient } from './register-client.ts';
import type { SignInContext } from './sign-in-context.ts';
import { proveClient } from './token-request.ts';

export interface LogoutOutcome {
  /** Whether there was a sign-in. */
  readonly wasSignedIn: boolean;
  /** Whether the authorization server took the tokens back; why not, when it did not. */
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
      ...(note === undefined ? {} : { note }),
    };
  });
}

/** Undefined when it worked. The refresh token goes first: with it, most servers take everything back. */
async function revoke({ settings, fetch, now }: SignInContext, grant: Grant): Promise<string | undefined> {
  const { tokens, issuer } = grant;
  if (tokens === undefined) return 'there were no tokens to take back';
  const client = recallClient(grant.client, settings);
  const { revocationEndpoint } = await discoverServer(issuer, settings.issuer, fetch);
  if (revocationEndpoint === undefined || client === undefined)
    return 'the authorization server does not take tokens back';
  const pairs = [
    ['refresh_token', tokens.refreshToken],
    ['access_token', tokens.accessToken],
  ] as const;
  for (const [kind, token] of pairs) {
    if (token === undefined) continue;
    const form = new URLSearchParams({ token, token_type_hint: kind });
    const headers = proveClient({ client, settings, form, issuer, now });
    const { status } = await postForm(fetch, revocationEndpoint, form, headers);
    if (status !== 200) return `the authorization server answered with status ${status}`;
  }
  return undefined;
}
