/** The credentials of a server. The code for OAuth is loaded when a request first needs it. */
import type { Log } from '../../base/text/log.ts';
import type { Redactor } from '../../base/text/redact.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import type { Credentials } from '../http/credentials.ts';

export interface CredentialsOptions {
  readonly definition: ServerDefinition;
  /** State folder; without it a sign-in lasts until the process ends. */
  readonly stateDir: string | undefined;
  readonly log: Log;
  readonly redactor: Redactor;
}

/** Undefined for a local process, whose credentials are in its environment. */
export function createLazyCredentials(options: CredentialsOptions): Credentials | undefined {
  if (options.definition.transport.kind !== 'http') return undefined;
  let loaded: Promise<Credentials | undefined> | undefined;
  const load = () => {
    loaded ??= create(options);
    return loaded;
  };
  return {
    header: async () => (await load())?.header(),
    refused: async (answer) => (await (await load())?.refused(answer)) ?? false,
  };
}

async function create({ definition, stateDir, log, redactor }: CredentialsOptions): Promise<Credentials | undefined> {
  const [{ createOAuthCredentials }, { findContext }, { openStore }] = await Promise.all([
    import('./oauth-credentials.ts'),
    import('./sign-in-context.ts'),
    import('./tokens/token-store.ts'),
  ]);
  const context = findContext({ definition, store: openStore(stateDir, log), log, redactor });
  return context === undefined ? undefined : createOAuthCredentials(context);
}
