/** The grants of the store as values. They are read with care: the file may have been written by another program. */
import { defined } from '../../../base/json/defined.ts';
import { findMember, findObject, findString, type JsonObject } from '../../../base/json/json.ts';
import { type Binding, bindingKey, type Grant, grantKey, type OAuthClient, type Tokens } from './grant.ts';
import type { TokenStore } from './token-store.ts';

export interface Grants {
  /** The authorization server of the last sign-in. */
  findFor(serverUrl: string): Promise<Grant | undefined>;
  find(binding: Binding): Promise<Grant | undefined>;
  /** From now on this grant is the one of the server. */
  saveFor(serverUrl: string, grant: Grant): Promise<void>;
  removeFor(serverUrl: string): Promise<void>;
}

export function createGrants(store: TokenStore): Grants {
  const find = async (binding: Binding) => {
    const entry = await store.find(grantKey(binding));
    const grant = entry === undefined ? undefined : toGrant(entry);
    // An entry under the name of another issuer or resource is not believed.
    return grant?.issuer === binding.issuer && grant.resource === binding.resource ? grant : undefined;
  };
  const findBinding = async (serverUrl: string): Promise<Binding | undefined> => {
    const entry = await store.find(bindingKey(serverUrl));
    const [issuer, resource] = ['issuer', 'resource'].map((key) => entry && findString(entry, key));
    return issuer === undefined || resource === undefined ? undefined : { issuer, resource };
  };
  return {
    find,
    async findFor(serverUrl) {
      const binding = await findBinding(serverUrl);
      return binding === undefined ? undefined : find(binding);
    },
    async saveFor(serverUrl, grant) {
      await store.save(grantKey(grant), toEntry(grant));
      const { issuer, resource } = grant;
      const known = await findBinding(serverUrl);
      if (known?.issuer !== issuer || known.resource !== resource)
        await store.save(bindingKey(serverUrl), { issuer, resource });
    },
    async removeFor(serverUrl) {
      const binding = await findBinding(serverUrl);
      if (binding !== undefined) await store.remove(grantKey(binding));
      await store.remove(bindingKey(serverUrl));
    },
  };
}

function toEntry({ client, tokens, ...rest }: Grant): JsonObject {
  return { ...rest, client: { ...client }, ...defined({ tokens: tokens && { ...tokens } }) };
}

function toGrant(entry: JsonObject): Grant | undefined {
  const [issuer, resource, askedScope, wantedScope] = ['issuer', 'resource', 'askedScope', 'wantedScope'].map((key) =>
    findString(entry, key),
  );
  const client = toClient(findObject(entry, 'client') ?? {});
  const tokens = toTokens(findObject(entry, 'tokens') ?? {});
  if (issuer === undefined || resource === undefined || client === undefined) return undefined;
  return { issuer, resource, client, ...defined({ tokens, askedScope, wantedScope }) };
}

function toClient(entry: JsonObject): OAuthClient | undefined {
  const [clientId, method, clientSecret, redirectUri] = ['clientId', 'method', 'clientSecret', 'redirectUri'].map(
    (key) => findString(entry, key),
  );
  if (clientId === undefined || method === undefined) return undefined;
  return { clientId, method, ...defined({ clientSecret, redirectUri }) };
}

function toTokens(entry: JsonObject): Tokens | undefined {
  const [accessToken, refreshToken, scope] = ['accessToken', 'refreshToken', 'scope'].map((key) =>
    findString(entry, key),
  );
  const expires = findMember(entry, 'expiresAt');
  const expiresAt = typeof expires === 'number' ? expires : undefined;
  return accessToken === undefined ? undefined : { accessToken, ...defined({ refreshToken, expiresAt, scope }) };
}
