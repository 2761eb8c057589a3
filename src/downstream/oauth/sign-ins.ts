/** Sign-in, sign-out and status of servers: for a command line or a dashboard. */

import { toFixFor, WorkbenchError } from '../../base/errors/errors.ts';
import { defined } from '../../base/json/defined.ts';
import { type Log, silentLog } from '../../base/text/log.ts';
import { toOwnCommand } from '../../base/text/own-command.ts';
import type { Redactor } from '../../base/text/redact.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { findStateFault } from '../../state/state-folder.ts';
import { type LoginOptions, login } from './login.ts';
import { type LogoutOutcome, logout } from './logout.ts';
import type { Fetch } from './protocol/fetch-json.ts';
import { splitScopes } from './protocol/scopes.ts';
import { findContext, type SignInContext } from './sign-in-context.ts';
import type { Grant } from './tokens/grant.ts';
import { openStore } from './tokens/token-store.ts';

export interface SignInStatus {
  readonly server: string;
  /** none: the server does not need a sign-in. */
  readonly state: 'signed-in' | 'expired' | 'signed-out' | 'none';
  readonly issuer?: string;
  readonly scopes?: readonly string[];
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Whether it can be renewed without a person when it expires. */
  readonly renewable?: boolean;
}

export interface SignIns {
  login(definition: ServerDefinition, options: LoginOptions): Promise<SignInStatus>;
  logout(definition: ServerDefinition): Promise<LogoutOutcome>;
  status(definition: ServerDefinition): Promise<SignInStatus>;
}

export interface SignInsOptions {
  /** State folder. */
  readonly stateDir: string;
  readonly log?: Log;
  readonly redactor?: Redactor;
  readonly fetch?: Fetch;
}

export function createSignIns(options: SignInsOptions): SignIns {
  const fault = findStateFault(options.stateDir);
  if (fault !== undefined) throw new WorkbenchError('WB1920', `A sign-in cannot be kept: ${fault}.`);
  const store = openStore(options.stateDir, options.log ?? silentLog);
  const contextOf = (definition: ServerDefinition) => findContext({ ...options, definition, store });
  return {
    async login(definition, loginOptions) {
      const context = getContext(definition, contextOf(definition));
      try {
        return toStatus(context, await login(context, loginOptions));
      } catch (error) {
        if (!(error instanceof WorkbenchError)) throw error;
        const { code, message, cause } = error;
        throw new WorkbenchError(code, message, { fix: toFixFor(definition.name, error), cause });
      }
    },
    async logout(definition) {
      return logout(getContext(definition, contextOf(definition)));
    },
    async status(definition) {
      const context = contextOf(definition);
      if (context === undefined) return { server: definition.name, state: 'none' };
      return toStatus(context, await context.grants.findFor(context.transport.url));
    },
  };
}

function getContext({ name, transport }: ServerDefinition, context: SignInContext | undefined): SignInContext {
  if (context !== undefined) return context;
  const why = transport.kind === 'stdio' ? 'is a local process' : 'has its token in "headers"';
  throw new WorkbenchError('WB1901', `Server '${name}' ${why}; there is nothing to sign in to.`, {
    fix: `See which servers can be signed in to: ${toOwnCommand(['auth', 'status'])}`,
  });
}

function toStatus({ name, now, settings }: SignInContext, grant: Grant | undefined): SignInStatus {
  const tokens = grant?.tokens;
  if (grant === undefined || tokens === undefined) return { server: name, state: 'signed-out' };
  const { expiresAt, refreshToken, scope } = tokens;
  const renewable = refreshToken !== undefined || settings.grant === 'client_credentials';
  const expired = expiresAt !== undefined && expiresAt <= now() && !renewable;
  return {
    server: name,
    state: expired ? 'expired' : 'signed-in',
    issuer: grant.issuer,
    scopes: splitScopes(scope),
    renewable,
    ...defined({ expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString() }),
  };
}
