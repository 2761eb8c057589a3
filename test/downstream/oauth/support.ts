/** A protected server, its authorization server, and what the Workbench knows of them. */
import { silentLog } from '../../../src/base/text/log.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';
import type { OAuthSettings, ServerDefinition } from '../../../src/config/model/config.ts';
import { type LoginOptions, login } from '../../../src/downstream/oauth/login.ts';
import { findContext, type SignInContext } from '../../../src/downstream/oauth/sign-in-context.ts';
import { createKeychain } from '../../../src/downstream/oauth/tokens/keychain.ts';
import { createTokenStore, type TokenStore } from '../../../src/downstream/oauth/tokens/token-store.ts';
import { tempDir } from '../../support/processes.ts';
import {
  type AuthorizationServerOptions,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from './authorization-server.ts';
import { type ProtectedServer, type ProtectedServerOptions, startProtectedServer } from './protected-server.ts';
import { walkHome } from './walk.ts';

export interface Place {
  readonly issuer: TestAuthorizationServer;
  readonly server: ProtectedServer;
  readonly definition: ServerDefinition;
  readonly context: SignInContext;
  readonly store: TokenStore;
}

export interface PlaceOptions extends AuthorizationServerOptions {
  readonly resource?: Partial<ProtectedServerOptions>;
  readonly oauth?: Partial<OAuthSettings>;
  readonly store?: TokenStore;
  readonly now?: () => number;
}

export async function openPlace(options: PlaceOptions = {}): Promise<Place> {
  const issuer = await startAuthorizationServer(options);
  const server = await startProtectedServer({ tokens: issuer, issuer: issuer.issuer, ...options.resource });
  const definition = toDefinition(server.url, { issuer: issuer.issuer, ...options.oauth });
  const store = options.store ?? openFileStore(tempDir());
  return { issuer, server, definition, store, context: toContext(definition, store, options.now) };
}

export function toContext(definition: ServerDefinition, store: TokenStore, now?: () => number): SignInContext {
  const context = findContext({ definition, store, redactor: createRedactor(), ...(now === undefined ? {} : { now }) });
  if (context === undefined) throw new Error('there is nothing to sign in to');
  return context;
}

export function toDefinition(url: string, oauth: Partial<OAuthSettings> = {}): ServerDefinition {
  return {
    key: 'guarded',
    name: 'guarded',
    transport: { kind: 'http', variant: 'auto', url, headers: {}, oauth: { grant: 'authorization_code', ...oauth } },
    disabled: false,
    timeoutMs: 10_000,
    startTimeoutMs: 10_000,
    prefix: true,
    shown: url,
  };
}

/** Files only: the keychain of whoever runs the tests is left alone. */
export function openFileStore(dir: string): TokenStore {
  return createTokenStore({ dir, keychain: createKeychain(async () => undefined), log: silentLog });
}

/** Signs in as a person would; `through` sees the address first and may change the way back. */
export async function signIn(
  context: SignInContext,
  { through = walkHome, ...options }: Partial<LoginOptions> & { through?: (url: URL) => Promise<unknown> } = {},
): Promise<void> {
  let failed: (error: unknown) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    failed = reject;
  });
  const done = login(context, { show: (url) => void through(url).catch(failed), ...options });
  await Promise.race([done, stopped]);
}
