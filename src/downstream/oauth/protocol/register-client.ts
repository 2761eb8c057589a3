/**
 * The client that we are at an authorization server: the one of the configuration, else the address of client metadata,
 * else a client that we register and keep.
 */
import {
  type AuthorizationServer,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
} from 'oauth4webapi';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import { toPrintable } from '../../../base/text/printable.ts';
import type { OAuthSettings } from '../../../config/model/config.ts';
import type { OAuthClient } from '../tokens/grant.ts';
import { type Fetch, throughFetch } from './fetch-json.ts';

export interface ClientNeeds {
  readonly server: AuthorizationServer;
  readonly settings: OAuthSettings;
  /** Undefined for a grant without a browser. */
  readonly redirectUri: string | undefined;
  /** The client that we registered at this issuer earlier. */
  readonly earlier: OAuthClient | undefined;
  readonly fetch: Fetch;
}

export async function obtainClient(needs: ClientNeeds): Promise<OAuthClient> {
  const { server, settings, redirectUri, earlier } = needs;
  if (settings.clientId !== undefined) return toConfigured(settings.clientId, settings, server);
  if (settings.clientMetadataUrl !== undefined && server.client_id_metadata_document_supported === true) {
    const method = settings.privateKeyFile === undefined ? 'none' : 'private_key_jwt';
    return { clientId: settings.clientMetadataUrl, method };
  }
  if (redirectUri !== undefined && server.registration_endpoint !== undefined) {
    const reusable = earlier?.redirectUri === redirectUri;
    return reusable ? earlier : register(redirectUri, needs);
  }
  throw new WorkbenchError(
    'WB1205',
    `The authorization server ${toPrintable(server.issuer, 200)} does not let clients register themselves.`,
  );
}

function toConfigured(
  clientId: string,
  settings: OAuthSettings,
  { token_endpoint_auth_methods_supported: methods = [] }: AuthorizationServer,
): OAuthClient {
  const { clientSecret, privateKeyFile } = settings;
  if (privateKeyFile !== undefined) return { clientId, method: 'private_key_jwt' };
  if (clientSecret === undefined) return { clientId, method: 'none' };
  const post = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  return { clientId, clientSecret, method: post ? 'client_secret_post' : 'client_secret_basic' };
}

/** The client for the store: the secret of a configured client stays in the configuration. */
export function toStoredClient(client: OAuthClient): OAuthClient {
  const { clientSecret: _, ...rest } = client;
  return client.redirectUri === undefined ? rest : client;
}

/** A stored client with its secret; undefined when the configuration now names another client. */
export function recallClient(stored: OAuthClient, { clientId, clientSecret }: OAuthSettings): OAuthClient | undefined {
  if (clientId === undefined) return stored;
  if (clientId !== stored.clientId) return undefined;
  return clientSecret === undefined ? stored : { ...stored, clientSecret };
}

/**
 * RFC 7591. A program on the user's machine is a native client and cannot keep a secret, so it does not ask for one. Scopes
 * are not registered: only calls show which ones are needed.
 */
async function register(redirectUri: string, { server, fetch }: ClientNeeds): Promise<OAuthClient> {
  const name = toPrintable(server.issuer, 200);
  const client = {
    client_name: 'MCP Workbench',
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  const response = await dynamicClientRegistrationRequest(server, client, throughFetch(fetch, 201));
  const registered = await processDynamicClientRegistrationResponse(response).catch(() => {
    const status = `status ${response.status}`;
    throw new WorkbenchError(
      'WB1205',
      `The authorization server ${name} refused to register this program (${status}).`,
    );
  });
  const { client_id: clientId, client_secret: secret } = registered;
  const clientSecret = typeof secret === 'string' ? secret : undefined;
  const method = registered.token_endpoint_auth_method ?? (clientSecret === undefined ? 'none' : 'client_secret_basic');
  if (!['none', 'client_secret_basic', 'client_secret_post'].includes(String(method)))
    throw new WorkbenchError(
      'WB1205',
      `The authorization server ${name} registered this program with a method that it does not have.`,
    );
  return { clientId, method: String(method), redirectUri, ...defined({ clientSecret }) };
}
